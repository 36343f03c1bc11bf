import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { type FoundMessage, MESSAGE_COLUMNS, PARTY } from '../search/search-store.ts';

interface Conversation {
  accountId: AccountId;
  channel: Channel;
  party: string;
  /** Only older ones than this. */
  before: MessageId | undefined;
  limit: number;
}

export const isOwn = async (
  db: Db,
  { accountId, id }: { accountId: AccountId; id: MessageId },
): Promise<boolean> => {
  const { rows } = await sql`select from messages where id = ${id} and account_id = ${accountId}`.execute(db);
  return rows.length > 0;
};

/** The newest first, by the key of the last one seen: equally fast at any depth. */
export const readConversation = async (db: Db, asked: Conversation): Promise<FoundMessage[]> => {
  const { accountId, channel, party, before, limit } = asked;
  const older = before
    ? sql`and (m.created_at, m.id) < (select created_at, id from messages where id = ${before})`
    : sql``;
  const { rows } = await sql<FoundMessage>`
    with page as (
      select m.id, m.created_at from messages m
      where ${PARTY} = ${party} and m.account_id = ${accountId} and m.channel = ${channel} ${older}
      order by m.created_at desc, m.id desc limit ${limit}
    )
    select ${MESSAGE_COLUMNS} from page
    join messages m on m.id = page.id and m.created_at = page.created_at
    left join lanes l on l.id = m.lane_id order by m.created_at desc, m.id desc`.execute(db);
  return rows;
};

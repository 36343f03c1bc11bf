import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel, MessageId } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import { COLUMNS, type FoundMessage, PARTY } from './search-store.ts';

export interface Conversation {
  accountId: AccountId;
  channel: Channel;
  party: string;
  /** Only older ones than this. */
  before: MessageId | undefined;
  limit: number;
}

/**
 * What waits is in no index of parties. So many of an account's waiting messages are looked at, singles before files:
 * the rest of a large file is found as soon as it is sent. The page adds the one that was opened by itself.
 */
const MOST_WAITING = 10_000;

/** Where an account's messages of a channel wait, each an index's beginning. */
const waitingIn = (place: RawBuilder<unknown>, { accountId, channel, party }: Conversation) => sql`
  (select id, created_at from (
    select id, created_at, channel, recipient from messages
    where status = 'PENDING' and unknown_since is null and ${place} and priority = any('{0,1}')
      and account_id = ${accountId} order by lane_id, priority limit ${MOST_WAITING}
  ) waiting where channel = ${channel} and recipient = ${party})`;

export const isOwn = async (
  db: Db,
  { accountId, id }: { accountId: AccountId; id: MessageId },
): Promise<boolean> => {
  const { rows } = await sql`select from messages where id = ${id} and account_id = ${accountId}`.execute(db);
  return rows.length > 0;
};

/** The newest first, by the key of the last one seen: as fast at any depth. */
export const readConversation = async (db: Db, asked: Conversation): Promise<FoundMessage[]> => {
  const { accountId, channel, party, before, limit } = asked;
  const lanes = sql`lane_id = any(array(select id from lanes where channel = ${channel}))`;
  const older = (name: string) =>
    before
      ? sql`and (${sql.ref(`${name}.created_at`)}, ${sql.ref(`${name}.id`)}) <
          (select created_at, id from messages where id = ${before})`
      : sql``;
  const { rows } = await sql<FoundMessage>`
    with page as (
      (select m.id, m.created_at from messages m
        where m.status <> 'PENDING' and ${PARTY} = ${party} and m.account_id = ${accountId}
          and m.channel = ${channel} ${older('m')}
        order by m.created_at desc, m.id desc limit ${limit})
      union all
      select p.id, p.created_at from (
        ${waitingIn(lanes, asked)} union all ${waitingIn(sql`lane_id is null`, asked)} union all
        (select id, created_at from messages where status = 'PENDING' and unknown_since is not null
          and account_id = ${accountId} and channel = ${channel} and recipient = ${party})
      ) p where true ${older('p')}
    )
    select ${COLUMNS} from (select * from page order by created_at desc, id desc limit ${limit}) page
    join messages m on m.id = page.id and m.created_at = page.created_at
    left join lanes l on l.id = m.lane_id order by m.created_at desc, m.id desc`.execute(db);
  return rows;
};

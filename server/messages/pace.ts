import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';

const LATEST = 2_000;
/** Fewer tell nothing about the pace of many. */
const ENOUGH = 200;
/** A second, while nothing was measured: a single link's usual pace. */
const ASSUMED = 200;

/** How long so many messages may take: at the pace of the account's last files on this channel. */
export const expectSeconds = async (
  db: Db,
  { accountId, channel, messages }: { accountId: AccountId; channel: Channel; messages: number },
): Promise<number> => {
  const { rows } = await sql<{ sent: number; seconds: number | null }>`
    select count(sent_at)::int as sent, extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds
    from (
      select sent_at, channel, priority from messages where account_id = ${accountId} and type = 'outgoing'
      order by created_at desc, id desc limit ${LATEST}
    ) latest where channel = ${channel} and priority > 0`.execute(db);
  const { sent = 0, seconds = 0 } = rows[0] ?? {};
  const pace = sent >= ENOUGH && seconds ? sent / seconds : ASSUMED;
  return Math.ceil(messages / pace);
};

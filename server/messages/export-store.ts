import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';
import { type FoundMessage, type Search, timesOf } from './search-store.ts';

export type ExportedMessage = Pick<
  FoundMessage,
  | 'id'
  | 'accountId'
  | 'type'
  | 'channel'
  | 'status'
  | 'recipient'
  | 'sender'
  | 'subject'
  | 'message'
  | 'segment'
  | 'priceMicros'
  | 'test'
  | 'reason'
  | 'errorCode'
  | 'createdAt'
  | 'updatedAt'
  | 'sentAt'
  | 'deliveredAt'
  | 'readAt'
  | 'carrier'
  | 'provider'
  | 'providerMessageId'
> & {
  /** To the microsecond, which a Date is not: the next page begins exactly there. */
  exactly: string;
};

/** The last row of a page: everything older than it comes after it. */
export type Key = Pick<ExportedMessage, 'exactly' | 'id'>;

/** The newest of those that fit, older than a row that was read before. */
export const readNewest = async (
  db: Db,
  search: Search,
  { before, limit, done }: { before: Key | undefined; limit: number; done: Date },
): Promise<ExportedMessage[]> => {
  const older = before
    ? sql`where (m.created_at, m.id) < (${before.exactly}::timestamptz, ${before.id}::uuid)`
    : sql``;
  const { rows } = await sql<ExportedMessage>`
    select m.id, m.account_id as "accountId", m.type, m.channel, m.status, m.recipient, m.sender, m.subject, m.message,
      m.segment, m.price_micros as "priceMicros", m.test, m.reason, m.error_code as "errorCode",
      m.created_at as "createdAt", m.updated_at as "updatedAt", m.sent_at as "sentAt",
      m.delivered_at as "deliveredAt", m.read_at as "readAt", l.carrier, l.provider,
      m.provider_message_id as "providerMessageId", m.created_at::text as exactly
    from (
      select m.id, m.created_at from ${timesOf(search, done)} ${older}
      order by m.created_at desc, m.id desc limit ${limit}
    ) page join messages m on m.id = page.id and m.created_at = page.created_at
    left join lanes l on l.id = m.lane_id order by m.created_at desc, m.id desc`.execute(db);
  return rows;
};

import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { type Db, fitsPage, pageBefore } from '../../../ground/postgres/index.ts';

/** A message with everything that an export contains. */
export interface ExportedMessage {
  id: string;
  /** To the microsecond: the next page begins after it. */
  createdAt: string;
  type: string;
  channel: string;
  status: string;
  test: boolean;
  recipient: string;
  sender: string | null;
  subject: string | null;
  message: string;
  html: string | null;
  content: object | null;
  segment: number;
  priceMicros: bigint;
  errorCode: string;
  reason: string;
  batchId: string | null;
  scheduledAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  identifier: string | null;
}

const SIZE = sql`octet_length(message) + coalesce(octet_length(html), 0)`;

/** The next messages of an account after that one, oldest first. */
export const listAfter = async (
  db: Db,
  { accountId, after, limit }: { accountId: AccountId; after: ExportedMessage | undefined; limit: number },
): Promise<ExportedMessage[]> => {
  const { rows } = await sql<ExportedMessage>`
    select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt", type, channel,
      status, test, recipient, sender, subject, message, html, content, segment, price_micros as "priceMicros",
      error_code as "errorCode", reason, batch_id as "batchId", scheduled_at as "scheduledAt", sent_at as "sentAt",
      delivered_at as "deliveredAt", read_at as "readAt", identifier
    from (
      select *, ${pageBefore({ size: SIZE, order: sql`created_at, id` })} from (
        select * from messages where account_id = ${accountId}
          ${after ? sql`and (created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)` : sql``}
        order by created_at, id limit ${limit}
      ) found
    ) paged where ${fitsPage} order by created_at, id`.execute(db);
  return rows;
};

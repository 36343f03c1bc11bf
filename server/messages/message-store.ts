import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId, Channel, MessageId, MessageStatus } from '../../contract/messages.ts';
import type { BatchFacts } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';

interface BatchRow extends Omit<BatchFacts, 'schedule'> {
  accepted: number;
  totalMicros: bigint;
  scheduledAt: Date | null;
  cancelledAt: Date | null;
  createdAt: Date;
}

export const findBatch = async (
  db: Db,
  { accountId, batchId }: { accountId: AccountId; batchId: BatchId },
): Promise<BatchRow | undefined> => {
  const { rows } = await sql<BatchRow>`
    select id, account_id as "accountId", channel, kind, test, accepted, total_micros as "totalMicros",
      scheduled_at as "scheduledAt", cancelled_at as "cancelledAt", created_at as "createdAt"
    from batches where id = ${batchId} and account_id = ${accountId}`.execute(db);
  return rows[0];
};

/** By the account and moment that they share, which select the partition and the index. */
export const countByStatus = async (db: Db, batchId: BatchId) => {
  const { rows } = await sql<{ status: MessageStatus; count: number }>`
    select m.status, count(*)::int as count
    from batches b join messages m on m.account_id = b.account_id and m.created_at = b.created_at
      and m.batch_id = b.id
    where b.id = ${batchId} group by m.status`.execute(db);
  return rows;
};

export interface MessageRow {
  id: MessageId;
  batchId: BatchId | null;
  channel: Channel;
  recipient: string;
  status: MessageStatus;
  reason: string;
  errorCode: string;
  segments: number;
  priceMicros: bigint;
  test: boolean;
  createdAt: Date;
  sentAt: Date | null;
  deliveredAt: Date | null;
}

/** One that the account sent. */
export const findMessage = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
): Promise<MessageRow | undefined> => {
  const { rows } = await sql<MessageRow>`
    select id, batch_id as "batchId", channel, recipient, status, reason, error_code as "errorCode",
      segment as segments, price_micros as "priceMicros", test, created_at as "createdAt",
      sent_at as "sentAt", delivered_at as "deliveredAt"
    from messages where id = ${messageId} and account_id = ${accountId} and type = 'outgoing'`.execute(db);
  return rows[0];
};

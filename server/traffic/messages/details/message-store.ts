import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId, MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

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
  identifier: string | null;
}

/** One that the account sent. */
export const findMessage = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
): Promise<MessageRow | undefined> => {
  const { rows } = await sql<MessageRow>`
    select id, batch_id as "batchId", channel, recipient, status, reason, error_code as "errorCode",
      segment as segments, price_micros as "priceMicros", test, created_at as "createdAt",
      sent_at as "sentAt", delivered_at as "deliveredAt", identifier
    from messages where id = ${messageId} and account_id = ${accountId} and type = 'outgoing'`.execute(db);
  return rows[0];
};

import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { BatchFacts } from '../outbox/index.ts';

export interface BatchRow extends Omit<BatchFacts, 'schedule' | 'byPage' | 'fileName'> {
  fileName: string;
  byPage: boolean;
  accepted: number;
  totalMicros: bigint;
  scheduledAt: Date | null;
  cancelledAt: Date | null;
  createdAt: Date;
  /** As PostgreSQL writes it, to the microsecond: it equals the messages' own. */
  exactly: string;
}

/** Sent with the test secret. That it cost nothing does not say so: a real one may have no price. */
export const isFree = ({ test, totalMicros }: Pick<BatchRow, 'test' | 'totalMicros'>): boolean =>
  test && totalMicros === 0n;

const COLUMNS = sql`b.id, b.account_id as "accountId", b.channel, b.kind, b.file_name as "fileName",
  b.by_page as "byPage", b.test, b.accepted, b.total_micros as "totalMicros", b.scheduled_at as "scheduledAt",
  b.cancelled_at as "cancelledAt", b.created_at as "createdAt", b.created_at::text as exactly`;

/** Without an account: of any account. */
export const findBatch = async (
  db: Db,
  { accountId, batchId }: { accountId: AccountId | undefined; batchId: BatchId },
): Promise<BatchRow | undefined> => {
  const { rows } = await sql<BatchRow>`
    select ${COLUMNS} from batches b
    where b.id = ${batchId} ${accountId ? sql`and b.account_id = ${accountId}` : sql``}`.execute(db);
  return rows[0];
};

interface Listed {
  /** Everyone's if not given. */
  accountId: AccountId | undefined;
  channel: Channel | undefined;
  skip: number;
  limit: number;
}

/** Files, the newest first, and how many there are in all. */
export const listBatches = async (
  db: Db,
  { accountId, channel, skip, limit }: Listed,
): Promise<{ batches: BatchRow[]; total: number }> => {
  const where = sql`where b.kind = 'CSV' ${accountId ? sql`and b.account_id = ${accountId}` : sql``}
    ${channel ? sql`and b.channel = ${channel}` : sql``}`;
  const { rows } = await sql<BatchRow>`
    select ${COLUMNS} from batches b ${where}
    order by b.created_at desc, b.id desc limit ${limit} offset ${skip}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from batches b ${where}`.execute(db);
  return { batches: rows, total: counted[0]?.total ?? 0 };
};

import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** A batch whose messages are searched for. */
export interface SearchedBatch {
  id: BatchId;
  accountId: AccountId;
  /** The time that its messages share, as PostgreSQL writes it. */
  exactly: string;
  /** The same, rounded down. */
  createdMs: number;
  accepted: number;
}

/** Without an account: of any account. */
export const findBatchOf = async (
  db: Db,
  { batchId, accountId }: { batchId: BatchId; accountId: AccountId | undefined },
): Promise<SearchedBatch | undefined> => {
  const { rows } = await sql<SearchedBatch>`
    select id, account_id as "accountId", created_at::text as exactly,
      floor(extract(epoch from created_at) * 1000)::float8 as "createdMs", accepted
    from batches where id = ${batchId} ${accountId ? sql`and account_id = ${accountId}` : sql``}`.execute(db);
  return rows[0];
};

import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { Db } from '../postgres/index.ts';

/** What an admin read of customers' data. */
export interface AdminRead {
  adminId: AccountId;
  /** As the contract names it: GET /messages/:messageId/timeline. */
  call: string;
  /** Whose; null if it was not asked for by account. */
  accountId: AccountId | null;
  /** What the call named besides: the id of a message, for example. */
  subject: string;
  /** The network address that it came from. */
  address: string;
}

/** The table takes no changes: what was read stays read. */
export const insertAdminRead = async (
  db: Db,
  { adminId, call, accountId, subject, address }: AdminRead,
): Promise<void> => {
  await sql`insert into admin_reads (admin_id, call, account_id, subject, address)
    values (${adminId}, ${call}, ${accountId}, ${subject}, ${address})`.execute(db);
};

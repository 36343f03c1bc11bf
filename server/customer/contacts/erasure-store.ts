import { sql } from 'kysely';
import { type Erasure, pieceOf } from '../../ground/erasure/index.ts';

/** All contacts of an account. */
export const forgetContacts: Erasure = {
  count: async (db, accountId) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from contacts where account_id = ${accountId}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  remove: async (trx, { accountId, limit }) => {
    const { numAffectedRows } = await sql`
      delete from contacts where account_id = ${accountId} and recipient in (
        select recipient from contacts where account_id = ${accountId} limit ${limit})`.execute(trx);
    return pieceOf(Number(numAffectedRows ?? 0n), limit);
  },
};

import { sql } from 'kysely';
import { type Erasure, pieceOf } from '../../ground/erasure/index.ts';

/** The opt-outs of an account that will send no more, so nobody needs them. */
export const forgetOptOuts: Erasure = {
  count: async (db, accountId) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from opt_outs where account_id = ${accountId}`.execute(db);
    return rows[0]?.count ?? 0;
  },
  remove: async (trx, { accountId, limit }) => {
    const { numAffectedRows } = await sql`
      delete from opt_outs where id in (
        select id from opt_outs where account_id = ${accountId} order by id limit ${limit})`.execute(trx);
    return pieceOf(Number(numAffectedRows ?? 0n), limit);
  },
};

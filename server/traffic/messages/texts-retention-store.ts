import { sql } from 'kysely';
import { type Erasure, pieceOf } from '../../ground/erasure/index.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** The copies of the texts that are searched. */
export const copiedTexts: Erasure = {
  count: async (db, accountId) => {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) as count from message_texts where account_id = ${accountId}`.execute(db);
    return Number(rows[0]?.count ?? 0n);
  },
  remove: async (trx, { accountId, limit }) => {
    const { numAffectedRows } = await sql`
      delete from message_texts t using (
        select created_at, id from message_texts where account_id = ${accountId} order by created_at limit ${limit}
      ) page
      where t.account_id = ${accountId} and t.created_at = page.created_at and t.id = page.id`.execute(trx);
    return pieceOf(Number(numAffectedRows ?? 0n), limit);
  },
};

/** Drops the copied texts of a month whose messages were dropped. */
export const dropTextsOfMonth = async (trx: Db, name: string): Promise<void> => {
  const month = sql.table(`message_texts_${name}`);
  await sql`alter table message_texts detach partition ${month}`.execute(trx);
  await sql`drop table ${month}`.execute(trx);
};

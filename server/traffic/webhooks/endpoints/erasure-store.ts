import { sql } from 'kysely';
import { type Erasure, pieceOf } from '../../../ground/erasure/index.ts';

/** An account's events with their contents, and its endpoint with its secrets. */
export const forgetWebhooks: Erasure = {
  count: async (db, accountId) => {
    const { rows } = await sql<{ count: number }>`
      select ((select count(*) from webhook_events where account_id = ${accountId})
        + (select coalesce(sum(live), 0) from webhook_chunks where account_id = ${accountId})
        + (select count(*) from webhook_endpoints where account_id = ${accountId}))::int as count`.execute(
      db,
    );
    return rows[0]?.count ?? 0;
  },
  remove: async (trx, { accountId, limit }) => {
    for (const table of ['webhook_events', 'webhook_chunks']) {
      const { rows } = await sql<{ createdAt: Date }>`
        delete from ${sql.table(table)} where id in (
          select id from ${sql.table(table)} where account_id = ${accountId} order by id limit ${limit})
        returning created_at as "createdAt"`.execute(trx);
      if (rows.length > 0) {
        const upTo = new Date(Math.max(...rows.map(({ createdAt }) => createdAt.getTime())));
        return { rows: rows.length, upTo, next: '' };
      }
    }
    const { numAffectedRows } = await sql`
      delete from webhook_endpoints where account_id = ${accountId}`.execute(trx);
    return pieceOf(Number(numAffectedRows ?? 0n), limit);
  },
};

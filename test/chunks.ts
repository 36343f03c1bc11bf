import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../server/ground/postgres/index.ts';

/** Changes the messages that match a condition, and puts them where they wait after that. */
export const changeWaiting = (
  db: Db,
  change: RawBuilder<unknown>,
  which: RawBuilder<unknown>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string; createdAt: string }>`
      update messages set ${change} where ${which} returning id, created_at::text as "createdAt"`.execute(
      trx,
    );
    const ids = rows.map(({ id }) => id);
    await sql`update outbox_chunks set ids = array(select one from unnest(ids) as one where one <> all(${ids}::uuid[]))
      where ids && ${ids}::uuid[]`.execute(trx);
    await sql`delete from outbox_chunks where ids = '{}'`.execute(trx);
    await sql`select outbox_wait_again(${ids}::uuid[], ${rows.map(({ createdAt }) => createdAt)}::timestamptz[])`.execute(
      trx,
    );
  });

/** Ends what a test leaves waiting, so that it does not affect another test. */
export const cancelAll = async (db: Db): Promise<void> => {
  await sql`with gone as (delete from outbox_chunks) update messages set status = 'CANCELLED' where status = 'PENDING'`.execute(
    db,
  );
};

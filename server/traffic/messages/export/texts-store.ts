import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** Messages created before it have their text in message_texts, the others only in messages. */
export const readTextsDone = async (db: Db): Promise<Date> => {
  const { rows } = await sql<{ done: Date }>`
    select done_until as done from message_texts_progress`.execute(db);
  if (!rows[0]) throw new Error('message_texts_progress is empty');
  return rows[0].done;
};

/**
 * Copies the texts of the next span of time, and returns whether there is more. A message has the time at which its
 * transaction began, so nothing younger than the oldest running transaction is touched.
 */
export const copyTexts = async (db: Db, spanMinutes: number): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ done: string; until: string; more: boolean }>`
      with span as (
        select done_until as done, done_until + make_interval(mins => ${spanMinutes}) as next,
          least(now() - interval '10 seconds', (
            select min(xact_start) from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
          )) as settled
        from message_texts_progress for update
      )
      select done::text, least(next, settled)::text as until, settled > next as more from span
      where settled > done`.execute(trx);
    const [span] = rows;
    if (!span) return false;
    await sql`
      insert into message_texts (account_id, created_at, id, text)
      select account_id, created_at, id, lower(message) from messages
      where created_at >= ${span.done}::timestamptz and created_at < ${span.until}::timestamptz
      order by account_id, created_at, id`.execute(trx);
    await sql`update message_texts_progress set done_until = ${span.until}::timestamptz`.execute(trx);
    return span.more;
  });

/** Copies the texts of messages that were stored for past days, which `copyTexts` has passed already. */
export const copyPastTexts = async (
  db: Db,
  { accountId, from, to }: { accountId: AccountId; from: Date; to: Date },
): Promise<void> => {
  await sql`
    insert into message_texts (account_id, created_at, id, text)
    select account_id, created_at, id, lower(message) from messages
    where account_id = ${accountId} and created_at between ${from} and ${to}
      and created_at < (select done_until from message_texts_progress)`.execute(db);
};

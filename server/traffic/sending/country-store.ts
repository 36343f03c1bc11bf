import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** Until the transaction ends: two calls of one account count one after the other. */
export const lockCountries = async (trx: Db, accountId: AccountId): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('sent_countries ' || ${accountId}, 0))`.execute(
    trx,
  );
};

/** All that the account has written to, and how many of them for the first time today (UTC). */
export const readCountries = async (
  db: Db,
  accountId: AccountId,
): Promise<{ written: Set<string>; today: number }> => {
  const { rows } = await sql<{ country: string; today: boolean }>`
    select country, first_at >= date_trunc('day', now(), 'UTC') as today from sent_countries
    where account_id = ${accountId}`.execute(db);
  return {
    written: new Set(rows.map(({ country }) => country)),
    today: rows.filter(({ today }) => today).length,
  };
};

export const keepCountries = async (db: Db, accountId: AccountId, countries: string[]): Promise<void> => {
  await sql`insert into sent_countries (account_id, country)
    select ${accountId}, country from unnest(${countries}::text[]) as country`.execute(db);
};

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountId } from '../../contract/accounts.ts';
import { olderDatabase, testDatabase } from '../../test/database.ts';
import { migrate } from '../postgres/index.ts';
import { compareBalances } from './proof-store.ts';
import { spend } from './spend.ts';
import { readWallet } from './store.ts';

const USD = 1_000_000n;

test('a database with an open hold is not migrated; once it is released, the balance is whole', async () => {
  const { url, db, close } = await olderDatabase('0043');
  onTestFinished(close);
  const { rows } = await sql<{
    id: AccountId;
  }>`insert into accounts (email, language, secret_hash, secret_sealed)
    values ('a@example.com', 'en_US', '', '') returning id`.execute(db);
  const [{ id: accountId } = { id: '' as AccountId }] = rows;
  await sql`insert into wallets (account_id) values (${accountId})`.execute(db);
  const post = async (kind: string, postings: Record<string, bigint>, ofEntry: bigint | null = null) => {
    const { rows: outcomes } = await sql<{ outcome: string; entry_id: bigint }>`select * from ledger_post(
      ${accountId}, ${kind}, 'batch:1', 'x', ${Object.keys(postings)}::text[], ${Object.values(postings)}::bigint[],
      ${ofEntry}::bigint)`.execute(db);
    expect(outcomes).toMatchObject([{ outcome: 'posted' }]);
    return outcomes[0]?.entry_id ?? 0n;
  };
  await post('TOP_UP', { AVAILABLE: 10n * USD, CARDS: -10n * USD });
  const held = await post('HOLD', { AVAILABLE: -6n * USD, HELD: 6n * USD });
  await post('CAPTURE', { HELD: -4n * USD, REVENUE: 4n * USD }, held);
  await expect(migrate(url)).rejects.toThrow('a hold is open');

  await post('RELEASE', { HELD: -2n * USD, AVAILABLE: 2n * USD }, held);
  expect(await migrate(url)).toContain('0043_no_holds.sql');
  expect(await readWallet(db, accountId)).toMatchObject({ balanceMicros: 6n * USD });
  await spend({ db, queue: { send: async () => {} } }, { accountId, amountMicros: USD, cause: 'batch:2' });
  expect(await readWallet(db, accountId)).toMatchObject({ balanceMicros: 5n * USD });
  expect(await compareBalances(db)).toEqual({ wallets: 1n, differing: [], totalMicros: 0n });
});

test('the ledger has no place for held money', async () => {
  const { db, close } = await testDatabase();
  onTestFinished(close);
  await expect(
    sql`insert into ledger_entries (account_id, kind, cause, request_hash, available_micros, balance_micros)
      values (gen_random_uuid(), 'HOLD', 'x', '', 0, 0)`.execute(db),
  ).rejects.toThrow('ledger_entries_kind_check');
  await expect(
    sql`insert into ledger_postings (entry_id, ledger, account_id, amount_micros)
      values (1, 'HELD', gen_random_uuid(), 1)`.execute(db),
  ).rejects.toThrow('ledger_postings_ledger_check');
});

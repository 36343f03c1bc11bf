import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestAccounts } from '../../../../test/accounts.ts';
import { preparedPool } from '../../../ground/postgres/index.ts';
import { findSession, startSession } from './session.ts';
import { hashToken } from './token.ts';

const room = await openTestAccounts();
afterAll(room.close);
const { db, pool } = room;

const { accountId } = await room.activeAccount();

const daysLeft = async (token: string): Promise<number> => {
  const { rows } = await pool.query(
    'select extract(epoch from expires_at - now()) / 86400 as days from sessions where token_hash = $1',
    [hashToken(token)],
  );
  return Number(rows[0].days);
};
const setDaysLeft = (token: string, days: number) =>
  pool.query('update sessions set expires_at = now() + make_interval(days => $2) where token_hash = $1', [
    hashToken(token),
    days,
  ]);

test('a session lasts thirty days from its last use', async () => {
  const token = await startSession(db, accountId);
  expect(await daysLeft(token)).toBeCloseTo(30, 1);
  await setDaysLeft(token, 3);
  expect(await findSession(db, token)).toMatchObject({ accountId });
  expect(await daysLeft(token)).toBeCloseTo(30, 1);
});

test('a session used within the day is not written again', async () => {
  const token = await startSession(db, accountId);
  const [before] = (
    await pool.query('select expires_at from sessions where token_hash = $1', [hashToken(token)])
  ).rows;
  await findSession(db, token);
  const [after] = (
    await pool.query('select expires_at from sessions where token_hash = $1', [hashToken(token)])
  ).rows;
  expect(after).toEqual(before);
});

test('a session that has ended, and a token that never was one, are nobody', async () => {
  const token = await startSession(db, accountId);
  await setDaysLeft(token, 0);
  for (const unknown of [token, 'x'.repeat(43), '', 'x\u0000', 'é'.repeat(43), 'x'.repeat(100_000)])
    expect(await findSession(db, unknown)).toBeUndefined();
});

test('a connection plans the lookup once, and reads indexes alone even where tables are nearly empty', async () => {
  const token = await startSession(db, accountId);
  for (let time = 0; time < 3; time += 1) await findSession(db, token);
  // One after another they all had the same connection, and so have these.
  const steady = preparedPool(db);
  const { rows } = await sql<{ name: string; once: boolean }>`
    select name, generic_plans >= 3 and custom_plans = 0 as once from pg_prepared_statements
    where name like 'session-%'`.execute(steady);
  expect(rows).toEqual([{ name: expect.any(String), once: true }]);
  const { rows: plan } = await sql
    .raw<{ 'QUERY PLAN': string }>(`explain execute "${rows[0]?.name}" (60, '\\x00')`)
    .execute(steady);
  const scans = plan.flatMap((line) => /\w+ Scan using \w+/.exec(line['QUERY PLAN'])?.[0] ?? []);
  expect(scans).toEqual(['sessions', 'accounts', 'accounts'].map((one) => `Index Scan using ${one}_pkey`));
  expect(plan.filter((line) => / Scan /.test(line['QUERY PLAN']))).toHaveLength(scans.length);
});

test('an admin is known by the session at once when the account becomes one', async () => {
  const token = await startSession(db, accountId);
  expect(await findSession(db, token)).toMatchObject({ admin: false });
  await pool.query('update accounts set admin = true where id = $1', [accountId]);
  expect(await findSession(db, token)).toMatchObject({ admin: true });
});

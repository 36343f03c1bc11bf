import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestAccounts } from '../../../test/accounts.ts';
import { openLog } from '../../ground/log/index.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import { openQueryService, type QueryService } from './index.ts';
import { openTestJudging } from './testing/judging.ts';
import { makeTestZones } from './testing/postgres.ts';

/** Runs for hours, and can be cancelled at any moment. */
const ENDLESS = 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b';
const CANCELLED = { data: { outcome: 'cancelled' }, success: false };

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
let zones: Awaited<ReturnType<typeof makeTestZones>>;
let service: QueryService;
const judging = openTestJudging();
let anna: AccountId;
let ben: AccountId;

beforeAll(async () => {
  accounts = await openTestAccounts();
  zones = await makeTestZones(accounts);
  const postgres = async () => openPostgresReader;
  const readers = { postgres, mysql: postgres };
  service = openQueryService({
    zones: zones.zones,
    readers,
    judging,
    db: accounts.db,
    log: openLog({ level: 'silent' }),
  });
  anna = (await accounts.activeAccount({ admin: true })).accountId;
  ben = (await accounts.activeAccount({ admin: true })).accountId;
});
afterAll(async () => {
  service?.close();
  await judging.close();
  await zones?.close();
  await accounts?.close();
});

const ask = (accountId: AccountId, sql: string, runId?: string) =>
  service.query(
    { accountId, language: 'en_US', hungUp: new AbortController().signal },
    { zoneId: 1, database: zones.database, sql, runId },
  );

test('a cancel in the very moment of the call ends the statement before it runs', async () => {
  const answer = ask(anna, ENDLESS);
  expect(service.cancel({ accountId: anna })).toMatchObject({ data: { cancelled: true } });
  expect(await answer).toMatchObject(CANCELLED);
});

test('a cancel that overtakes its statement ends it, and that one alone', async () => {
  expect(service.cancel({ accountId: anna }, 'first')).toMatchObject({ data: { cancelled: false } });
  expect(await ask(ben, 'select 1', 'first')).toMatchObject({ success: true });
  expect(await ask(anna, 'select 1', 'second')).toMatchObject({ success: true });
  expect(await ask(anna, ENDLESS, 'first')).toMatchObject(CANCELLED);
  expect(await ask(anna, 'select 1', 'first')).toMatchObject({ success: true });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestAccounts } from '../../../test/accounts.ts';
import { openLog } from '../../ground/log/index.ts';
import { openDatabase } from '../../ground/postgres/index.ts';
import { openMysqlReader } from '../../providers/mysql-reader/index.ts';
import { startMariadb, WHY_NO_MARIADB } from '../../providers/mysql-reader/testing/mariadb.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import { openZonesServer, type ZonesServer } from '../../start/zones-server.ts';
import { limitAskers } from './ask.ts';
import { demoZones, makeDemoZones, openQueryService, type Zone } from './index.ts';
import { openLinger } from './linger.ts';
import { listLeft, listLingering, listQueries } from './store.ts';
import { openTestJudging } from './testing/judging.ts';

/** It hears no cancel, and would run for days. */
const judging = openTestJudging();
afterAll(judging.close);
const DEAF = "select strpos(repeat('a', 600000), 'b' || repeat('a', 200000))";
/** Some ten seconds, or a few times as many on a busy machine. */
const DEAF_IN_MARIADB = {
  locate: "select locate(concat(repeat('a', 30000), 'b'), repeat('a', 200000))",
  replace: "select length(replace(repeat('a', 200000), concat(repeat('a', 30000), 'b'), 'c'))",
};
const GONE = { timeout: 120_000, interval: 200 };

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
let folder: string;
/** As an operator's: the service is not told that it may end anything there by force. */
let server: ZonesServer;

beforeAll(async () => {
  accounts = await openTestAccounts();
  folder = await mkdtemp(join(tmpdir(), 'posthorn-zones-'));
  server = await openZonesServer({ dataDir: folder, say: () => {}, fsync: false });
  const made = openDatabase({ url: server.url, max: 1, onError: () => {} });
  await makeDemoZones(made.db, server);
  await made.close();
}, 120_000);
afterAll(async () => {
  await server?.close();
  await accounts?.close();
  await rm(folder, { recursive: true, force: true });
});

const serve = (
  zones: Zone[],
  given: { timeoutMs?: number; graceMs?: number; leftMs?: number; placeWaitMs?: number } = {},
) =>
  openQueryService({
    zones,
    readers: { postgres: async () => openPostgresReader, mysql: async () => openMysqlReader },
    judging,
    db: accounts.db,
    log: openLog({ level: 'silent' }),
    timeoutMs: 1_000,
    graceMs: 1_000,
    ...given,
  });
const asker = (accountId: AccountId) => ({
  accountId,
  language: 'en_US' as const,
  hungUp: new AbortController().signal,
});
const admin = async () => (await accounts.activeAccount({ admin: true })).accountId;
const outcomes = async (accountId: AccountId) =>
  (await listQueries(accounts.db, accountId)).map(({ outcome }) => outcome);
/** The deaf ones, by what the database itself knows: others wait for their client or are on their way out. */
const backends = async (): Promise<string[]> => {
  const { pool, close } = openDatabase({ url: server.url, max: 1, onError: () => {} });
  const { rows } = await pool.query(
    "select pid || ' ' || extract(epoch from backend_start) as backend from pg_stat_activity where application_name = 'posthorn-query' and wait_event is null",
  );
  await close();
  return rows.map(({ backend }) => backend);
};
/** Not at a statement before: those take no such time. */
const atWork = async (): Promise<string[]> => {
  const before = await backends();
  await sleep(500);
  return (await backends()).filter((one) => before.includes(one));
};

const STILL = {
  success: false,
  data: { outcome: 'running', since: expect.any(String) },
  msg: expect.stringMatching(/^Still running in the database since \d\d:\d\d:\d\d UTC/),
};
const TAKEN = {
  data: { outcome: 'refused' },
  msg: expect.stringContaining('Your last query is still running'),
};

test('what an operator’s PostgreSQL goes on with is not called cancelled, and keeps its turn, over a restart too', async () => {
  const [anna, ben] = [await admin(), await admin()];
  const place = { zoneId: 1, database: 'merchant_hk' };
  const first = serve(demoZones(server));
  expect(await first.query(asker(anna), { ...place, sql: DEAF })).toMatchObject(STILL);
  expect(await backends()).toHaveLength(1);
  expect(await first.query(asker(anna), { ...place, sql: 'select 1' })).toMatchObject(TAKEN);
  expect(await first.query(asker(ben), { ...place, sql: 'select 1' })).toMatchObject({ success: true });
  expect(await outcomes(anna)).toEqual(['refused', 'running']);
  expect(await listLingering(accounts.db, anna)).toMatchObject([{ zoneId: 1 }]);
  first.close();

  const second = serve(demoZones(server));
  expect(await second.query(asker(anna), { ...place, sql: 'select 1' })).toMatchObject(TAKEN);
  const [backend = ''] = await backends();
  await server.own.kill(backend);
  await expect
    .poll(() => second.query(asker(anna), { ...place, sql: 'select 1' }), GONE)
    .toMatchObject({ success: true });
  expect(await listLingering(accounts.db)).toEqual([]);
  second.close();
}, 180_000);

test('what is at work when its service is told to end is known to the next one', async () => {
  const anna = await admin();
  const place = { zoneId: 1, database: 'merchant_hk' };
  const first = serve(demoZones(server), { timeoutMs: 600_000, graceMs: 600_000 });
  const asked = first.query(asker(anna), { ...place, sql: DEAF });
  await expect.poll(atWork, GONE).toHaveLength(1);
  first.close();
  expect(await asked).toMatchObject({ success: false, data: { outcome: 'running' } });
  expect(await outcomes(anna)).toEqual(['running']);
  expect(await listLingering(accounts.db, anna)).toMatchObject([{ zoneId: 1 }]);

  const second = serve(demoZones(server));
  expect(await second.query(asker(anna), { ...place, sql: 'select 1' })).toMatchObject(TAKEN);
  for (const backend of await backends()) await server.own.kill(backend);
  await expect.poll(() => listLingering(accounts.db), GONE).toEqual([]);
  expect(await outcomes(anna)).toEqual(['refused', 'failed']);
  second.close();
}, 180_000);

test('what a killed service left has its turn from the first moment of the next one', async () => {
  const place = { zoneId: 1, database: 'merchant_hk' };
  const anna = await admin();
  const first = serve(demoZones(server), { timeoutMs: 600_000 });
  const asked = first.query(asker(anna), { ...place, sql: DEAF });
  await expect.poll(atWork, GONE).toHaveLength(1);
  await expect.poll(() => listLeft(accounts.db, 600_000), GONE).toHaveLength(1);

  // The first one is told nothing: to the second its statement is that of one that is dead.
  const second = serve(demoZones(server), { leftMs: 5_000 });
  expect(await second.query(asker(anna), { ...place, sql: 'select 1' })).toMatchObject(TAKEN);
  // By then it is no living service's.
  await expect.poll(() => listLingering(accounts.db, anna), GONE).toMatchObject([{ zoneId: 1 }]);
  for (const backend of await backends()) await server.own.kill(backend);
  await expect.poll(() => listLingering(accounts.db), GONE).toEqual([]);
  second.close();
  await asked;
  first.close();
}, 180_000);

test('a list that goes on is written down, and found again', async () => {
  const anna = await admin();
  const { db } = accounts;
  const gone = Promise.withResolvers<void>();
  const lingering = { database: 'merchant_hk', backend: '1 1', since: new Date(), gone: gone.promise };
  const [zone] = demoZones(server) as [Zone];
  const linger = openLinger({
    db,
    log: openLog({ level: 'silent' }),
    turns: limitAskers(),
    takePlace: () => () => {},
    readerOf: async () => openPostgresReader(zone, judging.of('postgres')),
    zones: [zone],
    signal: new AbortController().signal,
  });
  await linger.begin({ accountId: anna, zone }, lingering);
  expect(await listLingering(db, anna)).toMatchObject([{ zoneId: 1 }]);
  expect(await listLeft(db, 600_000)).toMatchObject([{ accountId: anna, backend: '1 1' }]);
  gone.resolve();
  await expect.poll(() => listLingering(db, anna)).toEqual([]);
});

test('what goes on keeps its place among all', async () => {
  const service = serve(demoZones(server), { placeWaitMs: 0 });
  const place = { zoneId: 1, database: 'merchant_hk' };
  const deaf = await Promise.all(Array.from({ length: 4 }, admin));
  const answers = await Promise.all(deaf.map((one) => service.query(asker(one), { ...place, sql: DEAF })));
  for (const answer of answers) expect(answer).toMatchObject(STILL);
  const others = await Promise.all(Array.from({ length: 3 }, admin));
  // A lookup needs four places: of sixteen, four are taken.
  const looks = async () => {
    const look = (one: AccountId) => service.findMerchants(asker(one), { ...place, term: 'HK100001' });
    return (await Promise.all(others.map(look))).filter(({ success }) => success).length;
  };
  expect(await looks()).toBe(3);
  others.push(await admin());
  expect(await looks()).toBe(3);
  for (const backend of await backends()) await server.own.kill(backend).catch(() => false);
  await expect.poll(() => listLingering(accounts.db), GONE).toEqual([]);
  expect(await looks()).toBe(4);
  expect(await outcomes(deaf[0] as AccountId)).toEqual(['timed_out']);
  service.close();
}, 180_000);

describe.skipIf(WHY_NO_MARIADB)(`MariaDB${WHY_NO_MARIADB ? `: ${WHY_NO_MARIADB}` : ''}`, () => {
  let mariadb: Awaited<ReturnType<typeof startMariadb>>;
  beforeAll(async () => {
    mariadb = await startMariadb();
  }, 120_000);
  afterAll(() => mariadb?.stop());

  test.each(Object.entries(DEAF_IN_MARIADB))(
    '%s goes on in it after its end was told: that is said until it is gone',
    async (name, statement) => {
      const anna = await admin();
      const service = serve([{ ...mariadb.options, id: 11, name: 'QA', engine: 'mysql' }]);
      const place = { zoneId: 11, database: 'merchant_qa' };
      const ask = (sql: string) => service.query(asker(anna), { ...place, sql });
      const threads = async () => {
        const [rows] = await mariadb.root.query(
          `select info from information_schema.processlist where info like '%${name}%' and user <> 'root'`,
        );
        return rows;
      };
      expect(await ask(statement)).toMatchObject(STILL);
      expect(await threads()).toHaveLength(1);
      expect(await ask('select 1')).toMatchObject(TAKEN);
      await expect.poll(() => listLingering(accounts.db, anna), GONE).toEqual([]);
      expect(await threads()).toEqual([]);
      expect(await ask('select 1')).toMatchObject({ success: true });
      expect(await outcomes(anna)).toEqual(['done', 'refused', 'timed_out']);
      service.close();
    },
    300_000,
  );
});

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestAccounts } from '../../../test/accounts.ts';
import { readPidFile } from '../../ground/embedded-postgres/index.ts';
import { openLog } from '../../ground/log/index.ts';
import { openDatabase } from '../../ground/postgres/index.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import { memoryOfZones, openZonesServer, type ZonesServer } from '../../start/zones-server.ts';
import { demoZones, makeDemoZones, openQueryService, type QueryService } from './index.ts';
import { openTestJudging } from './testing/judging.ts';
import { giveBackTurn, listWithheld } from './withheld-store.ts';

const judging = openTestJudging();
afterAll(judging.close);
const TIMEOUT_MS = 1_500;
/** For statements behind all that a busy machine does besides. */
const BUSY_MS = 60_000;
const MEGABYTE = 1024 * 1024;
/** Of an end that was told: it is seen by then. */
const GONE_MS = 10_000;

/** Each is at work for minutes or days inside one function that looks for no cancel. */
const DEAF = {
  strpos: "select strpos(repeat('a', 600000), 'b' || repeat('a', 200000))",
  replace: "select length(replace(repeat('a', 600000), 'b' || repeat('a', 200000), 'c'))",
  split_part: "select split_part(repeat('a', 600000), 'b' || repeat('a', 200000), 2)",
  'overlapping arrays':
    'select (select array_agg(n) from generate_series(1, 150000) n) && (select array_agg(-n) from generate_series(1, 150000) n)',
};

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
let folder: string;
let server: ZonesServer;
let service: QueryService;
let withheld: unknown[] = [];
let anna: AccountId;
let ben: AccountId;

const admin = async () => (await accounts.activeAccount({ admin: true })).accountId;
const asker = (accountId: AccountId) => ({
  accountId,
  language: 'en_US' as const,
  hungUp: new AbortController().signal,
});
const serve = (timeoutMs = TIMEOUT_MS) =>
  openQueryService({
    zones: demoZones(server, server.own),
    readers: { postgres: async () => openPostgresReader, mysql: async () => openPostgresReader },
    judging,
    db: accounts.db,
    log: openLog({ level: 'silent' }),
    onWithheld: async (of) => void withheld.push(of),
    timeoutMs,
  });

beforeAll(async () => {
  accounts = await openTestAccounts();
  folder = await mkdtemp(join(tmpdir(), 'posthorn-zones-'));
  server = await openZonesServer({ dataDir: folder, say: () => {}, fsync: false });
  const made = openDatabase({ url: server.url, max: 1, onError: () => {} });
  await makeDemoZones(made.db, server);
  await made.close();
  service = serve();
  anna = await admin();
  ben = await admin();
}, 120_000);
afterAll(async () => {
  service?.close();
  await server?.close();
  await accounts?.close();
  await rm(folder, { recursive: true, force: true });
});

const place = { zoneId: 1, database: 'merchant_hk' };
const ask = (statement: string, accountId: AccountId) =>
  service.query(asker(accountId), { ...place, sql: statement });
const COUNT = 'select count(*) from merchant';

/** Some seconds of work that can be cancelled at any moment. */
const SLOW = 'select count(*) from generate_series(1, 5000) a, generate_series(1, 8000) b';

/** The processes of this server for connections of the zones' user, as the system itself knows them. */
const backends = async (): Promise<number[]> => {
  const { pid: parent } = (await readPidFile(join(folder, 'query-database/postgres'))) ?? {};
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (!command.startsWith('postgres: posthorn_query ')) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    if (Number(stat.split(') ')[1]?.split(' ')[1]) === parent) found.push(Number(name));
  }
  return found;
};
const privateBytes = async (): Promise<number> => {
  let bytes = 0;
  for (const pid of await backends()) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    bytes += 1024 * Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return bytes;
};
const startOfMoney = async () =>
  (await sql<{ at: Date }>`select pg_postmaster_start_time() as at`.execute(accounts.db)).rows[0]?.at;

test.each(Object.entries(DEAF))(
  '%s that hears no cancel is gone when the page says so, and money’s server never knew',
  async (_, statement) => {
    const started = await startOfMoney();
    const begun = performance.now();
    const carl = await admin();
    expect(await ask(statement, carl)).toMatchObject({ data: { outcome: 'timed_out' }, success: false });
    expect(performance.now() - begun).toBeLessThan(TIMEOUT_MS + GONE_MS);
    expect(await backends()).toEqual([]);
    expect(await startOfMoney()).toEqual(started);
    expect(await ask(COUNT, carl)).toMatchObject({ data: { rows: [['320']] } });
  },
  60_000,
);

test.skipIf(process.platform !== 'linux')(
  'what works on leaves the processor to all else',
  async () => {
    const patient = serve(8_000);
    const slow = patient.query(asker(ben), { ...place, sql: SLOW });
    const lowest = async () => {
      const [pid = 0] = await backends();
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const group = await readFile(`/proc/${pid}/autogroup`, 'utf8').catch(() => '');
      // Without groups of the kernel's own the file is empty.
      return [stat.split(') ')[1]?.split(' ')[16], / nice (-?\d+)/.exec(group)?.[1] ?? '10'];
    };
    await expect.poll(lowest, { timeout: 7_000 }).toEqual(['19', '10']);
    patient.close();
    await slow;
  },
  60_000,
);

test('what an analyst asks is not shown to another, whose connections are the same user’s', async () => {
  const others = serve(8_000);
  const slow = others.query(asker(ben), { ...place, sql: `${SLOW} -- of ben` });
  await expect.poll(backends).toHaveLength(1);
  const { pool, close } = openDatabase({ url: server.url, max: 1, onError: () => {} });
  const { rows } = await pool.query(
    "select query from pg_stat_activity where application_name = 'posthorn-query'",
  );
  await close();
  expect(rows).toEqual([{ query: '' }]);
  others.close();
  expect(await slow).toMatchObject({ data: { outcome: 'cancelled' } });
});

test('who is innocent of an end by force is answered, by a second run that the answer tells of', async () => {
  const patient = serve(BUSY_MS);
  onTestFinished(() => patient.close());
  const cause = ask(DEAF.strpos, anna);
  await sleep(TIMEOUT_MS + 3_500);
  const innocent = patient.query(asker(ben), { ...place, sql: SLOW });
  expect(await cause).toMatchObject({ data: { outcome: 'timed_out' } });
  expect(await innocent).toMatchObject({ success: true, data: { again: true, rows: [['40000000']] } });
}, 180_000);

test('all connections together stay within the memory that is theirs', async () => {
  const patient = serve(BUSY_MS);
  onTestFinished(() => patient.close());
  const analysts = await Promise.all(Array.from({ length: 16 }, admin));
  const most: number[] = [];
  const watching = setInterval(async () => most.push(await privateBytes()), 100);
  const grabbing = "select array_agg(repeat('x', 1000000)) from generate_series(1, 100000)";
  const answers = await Promise.all(
    analysts.map((one) => patient.query(asker(one), { ...place, sql: grabbing })),
  );
  clearInterval(watching);
  for (const answer of answers)
    expect(answer).toMatchObject({ data: { outcome: 'failed' }, msg: 'out of memory' });
  expect(Math.max(...most)).toBeLessThan(memoryOfZones().whole * MEGABYTE);
  expect(await ask(COUNT, anna)).toMatchObject({ data: { rows: [['320']] } });
}, 180_000);

test('who caused two ends by force has no turn, over a restart too, until an owner gives it back', async () => {
  const dora = await admin();
  withheld = [];
  for (const _ of ['first', 'second'])
    expect(await ask(DEAF.strpos, dora)).toMatchObject({ data: { outcome: 'timed_out' } });
  expect(withheld).toMatchObject([{ accountId: dora }]);
  const refused = { data: { outcome: 'refused' }, msg: expect.stringContaining('an owner can allow it') };
  expect(await ask(COUNT, dora)).toMatchObject(refused);
  service.close();
  service = serve();
  expect(await ask(COUNT, dora)).toMatchObject(refused);
  expect(await listWithheld(accounts.db)).toMatchObject([{ accountId: dora }]);
  expect(await giveBackTurn(accounts.db, dora)).toBeInstanceOf(Date);
  expect(await giveBackTurn(accounts.db, dora)).toBeUndefined();
  expect(await ask(COUNT, dora)).toMatchObject({ data: { rows: [['320']] } });
  // What was before counts no more.
  expect(await ask(DEAF.strpos, dora)).toMatchObject({ data: { outcome: 'timed_out' } });
  expect(await ask(COUNT, dora)).toMatchObject({ data: { rows: [['320']] } });
}, 120_000);

test('a server that died as a whole is started again', async () => {
  const { pid = 0 } = (await readPidFile(join(folder, 'query-database/postgres'))) ?? {};
  process.kill(pid, 'SIGKILL');
  expect(await ask(COUNT, anna)).toMatchObject({ success: true, data: { again: true, rows: [['320']] } });
}, 60_000);

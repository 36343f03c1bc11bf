import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { openTestAccounts } from '../../../test/accounts.ts';
import { openLog } from '../../ground/log/index.ts';
import { registerQueryService, replyWithError } from '../../http/index.ts';
import { openMysqlReader } from '../../providers/mysql-reader/index.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import { ASKER_HEADER, openQueryService, type QueryService, type Reader, type Zone } from './index.ts';
import { insertQuery, listQueries } from './store.ts';
import { openTestJudging } from './testing/judging.ts';
import { makeTestZones } from './testing/postgres.ts';

const KEY = 'the key of the service in this test';
/** Long enough for a query to be seen while it runs. */
const TIMEOUT_MS = 1_500;
/** Runs for hours, and can be cancelled at any moment. */
const ENDLESS = 'select count(*) from generate_series(1, 100000) a, generate_series(1, 100000) b';
/** Measured it takes some ten milliseconds; a busy machine may take longer. */
const GONE = { timeout: 20_000, interval: 20 };

let accounts: Awaited<ReturnType<typeof openTestAccounts>>;
let zones: Awaited<ReturnType<typeof makeTestZones>>;
let service: QueryService;
let patient: QueryService;
const judging = openTestJudging();
const app = fastify();
let anna: AccountId;
let ben: AccountId;

beforeAll(async () => {
  accounts = await openTestAccounts();
  zones = await makeTestZones(accounts);
  const readers = {
    postgres: async () => openPostgresReader,
    mysql: async () => {
      throw new Error('not here');
    },
  };
  const deps = { zones: zones.zones, readers, judging, db: accounts.db, log: openLog({ level: 'silent' }) };
  service = openQueryService({ ...deps, timeoutMs: TIMEOUT_MS });
  patient = openQueryService(deps);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  registerQueryService(app, patient, KEY);
  anna = (await accounts.activeAccount({ admin: true })).accountId;
  ben = (await accounts.activeAccount({ admin: true })).accountId;
});
afterAll(async () => {
  await app.close();
  await judging.close();
  await zones?.close();
  await accounts?.close();
});

const asker = (accountId: AccountId | undefined, hungUp = new AbortController().signal) => ({
  accountId,
  language: 'en_US' as const,
  hungUp,
});
const ask = (sql: string, accountId = anna, hungUp?: AbortSignal) =>
  patient.query(asker(accountId, hungUp), { zoneId: 1, database: zones.database, sql });

/** How many statements with this mark the database itself says it runs. */
const running = async (mark: string): Promise<number> => {
  const { rows } = await zones.owner.pool.query(
    "select from pg_stat_activity where state = 'active' and application_name = 'posthorn-query' and strpos(query, $1) > 0",
    [mark],
  );
  return rows.length;
};
const marked = (): { mark: string; sql: string } => {
  const mark = randomUUID();
  return { mark, sql: `${ENDLESS} -- ${mark}` };
};

test('answers data, msg and success over HTTP, only to who has the key', async () => {
  const call = (authorization: string) =>
    app.inject({
      method: 'POST',
      url: '/sql_query',
      headers: { authorization, [ASKER_HEADER]: anna },
      payload: { zone_id: 1, database: zones.database, sql: 'select 1 as one, null as nothing' },
    });
  expect((await call('Bearer another key')).statusCode).toBe(403);
  const { data, ...rest } = (await call(`Bearer ${KEY}`)).json();
  expect(rest).toEqual({ msg: '', success: true });
  expect(data).toMatchObject({
    columns: [
      { name: 'one', type: 'integer' },
      { name: 'nothing', type: 'text' },
    ],
    rows: [['1', null]],
    limited: true,
    truncated: false,
  });
  const list = await app.inject({
    method: 'POST',
    url: '/sql_database',
    headers: { authorization: `Bearer ${KEY}` },
    payload: { zone_id: 11 },
  });
  expect(list.json()).toEqual({ data: zones.zones[1]?.databases, msg: '', success: true });
});

test('a refusal says why in the reader’s language, and where', async () => {
  const many = await patient.query(
    { ...asker(anna), language: 'zh_HK' },
    { zoneId: 1, database: zones.database, sql: "select '商戶'; delete from numbers" },
  );
  expect(many).toEqual({
    data: { outcome: 'refused', position: 13 },
    msg: '每次只能執行一條語句。',
    success: false,
  });
  expect(await ask('-- 商戶\n select no_such from numbers')).toMatchObject({
    data: { outcome: 'failed', position: 14 },
    msg: 'column "no_such" does not exist',
  });
  expect(await ask('select 1 fro numbers')).toMatchObject({ data: { position: 13 }, success: false });
  // In UTF-16 units, of which an emoji has two; and the first word has a place too.
  expect(await ask("select '😀', 1 fro numbers")).toMatchObject({ data: { position: 19 }, success: false });
  expect(await ask("select '😀', no_such from numbers")).toMatchObject({ data: { position: 13 } });
  expect(await ask("select '😀', pg_sleep(1)")).toMatchObject({ data: { position: 13 } });
  expect(await ask('selec 1')).toMatchObject({ data: { position: 0 }, success: false });
  // What is understood and not allowed has one too.
  const refusedAt = async (sql: string) => {
    const answer = await ask(sql);
    return !answer.success && answer.data?.position != null ? sql.slice(answer.data.position) : answer;
  };
  expect(await refusedAt('drop table numbers')).toBe('drop table numbers');
  expect(await refusedAt('-- a\rdrop table numbers')).toBe('drop table numbers');
  expect(await refusedAt('-- 商戶\n /* a /* b */ */ drop table numbers')).toBe('drop table numbers');
  expect(
    await refusedAt("with a as (select '商戶'), b as (delete from numbers returning n) select n from b"),
  ).toBe('numbers returning n) select n from b');
  expect(await refusedAt('explain delete from numbers')).toBe('numbers');
  expect(await refusedAt('select 1 into copied')).toBe('copied');
  const nowhere = { zoneId: 7, database: 'x', sql: 'select 1' };
  expect(await patient.query(asker(anna), nowhere)).toMatchObject({ msg: 'There is no zone 7.' });
  const unknown = { zoneId: 1, database: 'posthorn', sql: 'select 1' };
  expect(await patient.query(asker(anna), unknown)).toMatchObject({
    msg: 'This zone has no database posthorn.',
  });
});

test('a query that takes too long is gone from the database', async () => {
  const { mark, sql } = marked();
  const answer = await service.query(asker(anna), { zoneId: 1, database: zones.database, sql });
  expect(answer).toMatchObject({ data: { outcome: 'timed_out' }, success: false });
  await expect.poll(() => running(mark), GONE).toBe(0);
});

test('a cancelled query is gone from the database', async () => {
  const { mark, sql } = marked();
  const answer = ask(sql);
  await expect.poll(() => running(mark), GONE).toBe(1);
  expect(patient.cancel({ accountId: anna })).toMatchObject({ data: { cancelled: true } });
  await expect.poll(() => running(mark), GONE).toBe(0);
  expect(await answer).toMatchObject({ data: { outcome: 'cancelled' }, success: false });
  expect(patient.cancel({ accountId: anna })).toMatchObject({ data: { cancelled: false } });
});

test('a statement that is still being judged is cancelled at once', async () => {
  const hk = zones.zones[0] as Zone;
  const judged = openQueryService({
    zones: [{ ...hk, engine: 'mysql' }],
    readers: { postgres: async () => openPostgresReader, mysql: async () => openMysqlReader },
    judging,
    db: accounts.db,
    log: openLog({ level: 'silent' }),
  });
  // Minutes of work for its parser.
  const deep = `${'cast(1+'.repeat(6)}1${' as signed)'.repeat(6)}`;
  const sql = `select ${deep} + ${deep} + ${deep}`;
  const answer = judged.query(asker(anna), { zoneId: 1, database: zones.database, sql });
  const cancelled = () => judged.cancel({ accountId: anna });
  await expect.poll(cancelled, GONE).toMatchObject({ data: { cancelled: true } });
  expect(await answer).toMatchObject({ data: { outcome: 'cancelled' }, success: false });
  await judged.close();
});

test('a query ends when its asker leaves', async () => {
  const { mark, sql } = marked();
  const leaving = new AbortController();
  const answer = ask(sql, anna, leaving.signal);
  await expect.poll(() => running(mark), GONE).toBe(1);
  leaving.abort();
  await expect.poll(() => running(mark), GONE).toBe(0);
  expect(await answer).toMatchObject({ data: { outcome: 'cancelled' } });
});

test('an admin’s newer query cancels the older one, and no other admin’s', async () => {
  const [older, others] = [marked(), marked()];
  const first = ask(older.sql);
  const other = ask(others.sql, ben);
  await expect.poll(async () => (await running(older.mark)) + (await running(others.mark)), GONE).toBe(2);
  expect(await ask('select 2')).toMatchObject({ success: true });
  expect(await first).toMatchObject({ data: { outcome: 'cancelled' } });
  expect(await running(others.mark)).toBe(1);
  patient.cancel({ accountId: ben });
  expect(await other).toMatchObject({ data: { outcome: 'cancelled' } });
});

test('a merchant lookup is the admin’s one query too: it cancels the older, and is cancelled', async () => {
  const { mark, sql } = marked();
  const first = ask(sql);
  await expect.poll(() => running(mark), GONE).toBe(1);
  const look = () =>
    patient.findMerchants(asker(anna), { zoneId: 1, database: zones.database, term: 'HK100001' });
  expect(await look()).toMatchObject({ success: true });
  expect(await first).toMatchObject({ data: { outcome: 'cancelled' } });
  const { pool } = zones.owner;
  const blocker = await pool.connect();
  try {
    // A lookup waits for this lock.
    await blocker.query('begin; lock table public.merchant in access exclusive mode');
    const second = look();
    await expect.poll(() => running('from merchant m'), GONE).toBe(1);
    expect(patient.cancel({ accountId: anna })).toMatchObject({ data: { cancelled: true } });
    expect(await second).toMatchObject({ data: { outcome: 'cancelled' }, success: false });
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
});

test('an admin, and all of them, have so many connections to a zone at one moment', async () => {
  let begun = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const wait = async () => {
    begun += 1;
    await released;
    return { kind: 'done' as const, columns: [], rows: [], truncated: false };
  };
  const reader: Reader = {
    judge: async (statement) => ({ kind: 'reads', sql: statement, limited: false, begin: 0 }),
    read: wait,
    listDatabases: wait,
    listColumns: wait,
    isAtWork: async () => false,
    placeholder: () => '?',
  };
  const crowded = openQueryService({
    zones: zones.zones,
    readers: { postgres: async () => () => reader, mysql: async () => () => reader },
    judging,
    db: accounts.db,
    log: openLog({ level: 'silent' }),
    placeWaitMs: 1_000,
  });
  const place = { zoneId: 1, database: zones.database };
  const lists = (accountId: AccountId, many: number) =>
    Array.from({ length: many }, () => crowded.listTables(asker(accountId), place));
  const refused = {
    data: { outcome: 'refused', position: null },
    msg: 'The service is busy at the moment. Please try again shortly.',
    success: false,
  };

  const annas = lists(anna, 300);
  expect(await Promise.all(annas.slice(8))).toEqual(Array.from({ length: 292 }, () => refused));
  expect(begun).toBe(8);
  expect(await crowded.query(asker(anna), { ...place, sql: 'select 1' })).toEqual(refused);
  // A lookup needs four, and is refused as a whole.
  const bens = lists(ben, 5);
  expect(await crowded.findMerchants(asker(ben), { ...place, term: 'x' })).toEqual(refused);
  bens.push(...lists(ben, 3));
  expect(await crowded.listTables(asker(undefined), place)).toEqual(refused);
  expect(begun).toBe(16);
  // Another zone has its own.
  const [, other] = zones.zones;
  const elsewhere = crowded.listTables(asker(anna), { zoneId: 11, database: other?.databases[0] ?? '' });
  release();
  for (const list of [...annas.slice(0, 8), ...bens, elsewhere])
    expect(await list).toMatchObject({ success: true });
  expect(await crowded.query(asker(anna), { ...place, sql: 'select 1' })).toMatchObject({ success: true });
  expect(await crowded.findMerchants(asker(ben), { ...place, term: 'x' })).toMatchObject({ success: true });
  crowded.close();
});

test('what one statement may write to disk is limited', async () => {
  expect(await ask('show temp_file_limit')).toMatchObject({ data: { rows: [['256MB']] } });
  const limit = (size: string) =>
    zones.owner.pool.query(`alter role ${zones.hk.user} set temp_file_limit = '${size}'`);
  // Less, so that a small sort exceeds it.
  await limit('1MB');
  const spilling = "select n from generate_series(1, 100000) n order by repeat('x', 100) || n offset 90000";
  const answer = await ask(spilling);
  await limit('256MB');
  expect(answer).toMatchObject({ success: false, msg: expect.stringContaining('temp_file_limit') });
});

test('what a crash of the service left as running is ended when it starts, and nothing younger', async () => {
  const dora = (await accounts.activeAccount({ admin: true })).accountId;
  const asked = { accountId: dora, zoneId: 1, database: zones.database };
  const left = await insertQuery(accounts.db, { ...asked, sql: 'select 1' });
  await sql`update queries set created_at = now() - interval '1 hour' where id = ${left}`.execute(
    accounts.db,
  );
  await insertQuery(accounts.db, { ...asked, sql: 'select 2' });
  const again = openQueryService({
    zones: zones.zones,
    readers: { postgres: async () => openPostgresReader, mysql: async () => openPostgresReader },
    judging,
    db: accounts.db,
    log: openLog({ level: 'silent' }),
  });
  const outcomes = async () =>
    (await listQueries(accounts.db, dora)).map(({ sql: of, outcome }) => [of, outcome]);
  await expect.poll(outcomes, GONE).toEqual([
    ['select 2', 'running'],
    ['select 1', 'failed'],
  ]);
  again.close();
});

test('secret columns come masked, whatever is done with them', async () => {
  const attempts = [
    'select password_hash from profile',
    'select password_hash as x from profile',
    'select * from profile',
    'select row_to_json(p) from profile p',
    'select p::text from profile p',
    "select upper(password_hash) || 'x', left(password_hash, 3), md5(password_hash) from profile",
    'select max(password_hash), min(password_hash) from profile',
    "select count(*) from profile where password_hash like '$argon2id%'",
    'select p.password_hash from profile p order by p.password_hash desc',
    'select most_common_vals, histogram_bounds from pg_stats',
    'select api_token, webhook_secret from app',
    'select xmlelement(name a, to_jsonb(app)) from app',
  ];
  for (const sql of attempts) {
    const answer = await ask(sql);
    expect(answer, sql).toMatchObject({ success: true });
    expect(JSON.stringify(answer), sql).not.toMatch(/argon2id\$v|tok_|whsec_/);
  }
  const oracle = await ask("select count(*) from profile where password_hash like '$argon2id%'");
  expect(oracle).toMatchObject({ data: { rows: [['0']] } });
  expect(await ask('select password_hash from public.profile')).toMatchObject({
    success: false,
    msg: 'permission denied for schema public',
  });
});

test('a user who could write, or read a secret, is not used at all', async () => {
  const { pool } = zones.owner;
  const reader = zones.hk.user;
  const judged = async () => {
    // Another service, because what a user may do is known for a while.
    const fresh = openQueryService({
      zones: zones.zones,
      readers: { postgres: async () => openPostgresReader, mysql: async () => openPostgresReader },
      judging,
      db: accounts.db,
      log: openLog({ level: 'silent' }),
    });
    return fresh.query(asker(anna), { zoneId: 1, database: zones.database, sql: 'select 1' });
  };
  expect(await judged()).toMatchObject({ success: true });
  const excesses: [string, string, RegExp][] = [
    [
      `grant insert on masked.numbers to ${reader}`,
      `revoke insert on masked.numbers from ${reader}`,
      /writing to/,
    ],
    [
      `grant update (label) on masked.numbers to ${reader}`,
      `revoke update (label) on masked.numbers from ${reader}`,
      /writing to/,
    ],
    [
      `grant create on schema masked to ${reader}`,
      `revoke create on schema masked from ${reader}`,
      /creating in/,
    ],
    [`alter role ${reader} createdb`, `alter role ${reader} nocreatedb`, /CREATEDB/],
    [`grant pg_read_server_files to ${reader}`, `revoke pg_read_server_files from ${reader}`, /membership/],
    [
      'create function masked.peek() returns text language sql security definer as $$ select 1::text $$',
      'drop function masked.peek()',
      /SECURITY DEFINER function peek\(\)/,
    ],
    [
      `grant usage on schema public to ${reader}; grant select on public.profile to ${reader}`,
      `revoke all on schema public from ${reader}; revoke all on public.profile from ${reader}`,
      /reading the secret public.profile.password_hash/,
    ],
  ];
  for (const [give, take, reason] of excesses) {
    await pool.query(give);
    expect(await judged(), give).toMatchObject({ success: false, msg: expect.stringMatching(reason) });
    await pool.query(take);
  }
  expect(await judged()).toMatchObject({ success: true });
});

test('an answer has a limit of rows, of cells and of bytes', async () => {
  expect(await ask('select * from numbers')).toMatchObject({ data: { limited: true } });
  const many = await ask('select n from generate_series(1, 20000) as n limit 20000');
  expect(many).toMatchObject({ data: { truncated: true, limited: false } });
  expect(many.success && many.data.rows.length).toBe(10_000);
  // A cut answer keeps its types.
  expect(many).toMatchObject({ data: { columns: [{ name: 'n', type: 'integer' }] } });
  const { mark } = marked();
  const large = await ask(`select repeat('x', 1000000) || '${mark}' from generate_series(1, 900)`);
  expect(large).toMatchObject({ success: true, data: { truncated: true } });
  expect(large.success && large.data.rows.length).toBeLessThan(9);
  await expect.poll(() => running(mark), GONE).toBe(0);
  // Of short cells there are more in so many bytes than anybody should read.
  const wide = await ask(`select ${'null,'.repeat(1_600)} 1 from generate_series(1, 5000) limit 5000`);
  expect(wide).toMatchObject({ success: true, data: { truncated: true } });
  expect(wide.success && wide.data.rows.length).toBe(Math.ceil(500_000 / 1_601));
  const huge = await ask("select repeat('x', 20000000 + 0) as x");
  expect(huge).toMatchObject({ success: true, data: { truncated: true, rows: [] } });
  expect(huge).toMatchObject({ data: { columns: [{ name: 'x', type: 'text' }] } });
});

test('a column may be called as objects are made of', async () => {
  const names = ['__proto__', 'constructor', '__defineGetter__'];
  const answer = await ask(`select ${names.map((name) => `1 as "${name}"`).join(', ')}`);
  expect(answer).toMatchObject({ data: { rows: [['1', '1', '1']] } });
  expect(answer.success && answer.data.columns.map(({ name }) => name)).toEqual(names);
});

test('every query is written down with who, outcome, rows and time', async () => {
  const carl = (await accounts.activeAccount({ admin: true })).accountId;
  await ask('select n from numbers limit 3', carl);
  await ask('delete from numbers', carl);
  await ask('select no_such from numbers', carl);
  await patient.findMerchants(asker(carl), { zoneId: 1, database: zones.database, term: 'HK100001' });
  const written = await listQueries(accounts.db, carl);
  expect(written.map(({ sql, outcome, rows }) => ({ sql, outcome, rows }))).toEqual([
    { sql: '-- merchant lookup: HK100001', outcome: 'done', rows: 1 },
    { sql: 'select no_such from numbers', outcome: 'failed', rows: null },
    { sql: 'delete from numbers', outcome: 'refused', rows: null },
    { sql: 'select n from numbers limit 3', outcome: 'done', rows: 3 },
  ]);
  expect(
    written.every(({ elapsed_ms, database }) => elapsed_ms !== null && database === zones.database),
  ).toBe(true);
});

test('merchants are found by what is known of them, with all that belongs to them', async () => {
  const find = async (term: string) => {
    const answer = await patient.findMerchants(asker(anna), { zoneId: 1, database: zones.database, term });
    if (!answer.success) throw new Error(answer.msg);
    return answer.data;
  };
  const [one] = await find('HK100001');
  expect(one).toMatchObject({ merchant: { id: 'HK100001', country: 'HK' } });
  expect(one?.profiles).toHaveLength(2);
  expect(one?.profiles[0]).toMatchObject({ merchant_id: 'HK100001', password_hash: '••••••' });
  expect(one?.relations.length).toBeGreaterThan(0);
  expect((await find(one?.profiles[0]?.email ?? '')).map(({ merchant }) => merchant.id)).toEqual([
    'HK100001',
  ]);
  const app = (await find('HK100004'))[0]?.apps[0];
  expect((await find(app?.id ?? '')).map(({ merchant }) => merchant.id)).toContain('HK100004');
  expect((await find('mong KOK')).length).toBe(20);
  expect(await find("' or '1'='1")).toEqual([]);
  expect(await find('%')).toEqual([]);
  expect(await find('_')).toEqual([]);
});

test('the tables of a database are told with their columns', async () => {
  const answer = await patient.listTables(asker(anna), { zoneId: 1, database: zones.database });
  expect(answer.success && answer.data.map(({ name }) => name)).toEqual([
    'app',
    'merchant',
    'numbers',
    'profile',
    'relation',
  ]);
  expect(answer.success && answer.data[2]?.columns).toEqual([
    { name: 'n', type: 'integer' },
    { name: 'label', type: 'text' },
  ]);
});

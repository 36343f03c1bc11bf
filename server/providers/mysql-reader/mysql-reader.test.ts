import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MerchantFound } from '../../../contract/office/query.ts';
import { mariadbDemo } from '../../office/query/index.ts';
import type { ReadRequest } from '../../office/query/reader.ts';
import { openHangingServer } from '../../office/query/testing/hanging-server.ts';
import { openTestJudging } from '../../office/query/testing/judging.ts';
import { findMerchants } from '../../office/query/testing/merchants.ts';
import { openMysqlReader, runScript } from './index.ts';
import { MARIADB_USER, startMariadb, WHY_NO_MARIADB } from './testing/mariadb.ts';

/** Runs for hours, and can be killed at any moment. */
const ENDLESS = 'select count(*) from numbers a, numbers b, numbers c, numbers d';
const GONE = { timeout: 20_000, interval: 20 };

const judging = openTestJudging();
afterAll(judging.close);

describe.skipIf(WHY_NO_MARIADB)(`MariaDB${WHY_NO_MARIADB ? `: ${WHY_NO_MARIADB}` : ''}`, () => {
  let server: Awaited<ReturnType<typeof startMariadb>>;
  let reader: ReturnType<typeof openMysqlReader>;
  beforeAll(async () => {
    server = await startMariadb();
    reader = openMysqlReader(server.options, judging.of('mysql'));
  }, 120_000);
  afterAll(() => server?.stop());

  const request = { database: 'merchant_qa', timeoutMs: 15_000, mostRows: 10_000, mostBytes: 8_000_000 };
  const read = (sql: string, given: Partial<ReadRequest> = {}) =>
    reader.read({ ...request, signal: new AbortController().signal, sql, ...given });
  /** How many statements with this mark the server itself says it runs. */
  const running = async (mark: string): Promise<number> => {
    const [rows] = await server.root.query('show full processlist');
    return (rows as { Info: string | null }[]).filter(({ Info }) => Info?.includes(mark)).length;
  };

  test('a query that takes too long is gone from the list of processes', async () => {
    const mark = randomUUID();
    expect(await read(`${ENDLESS} where '${mark}' <> ''`, { timeoutMs: 1_000 })).toEqual({
      kind: 'timed_out',
    });
    await expect.poll(() => running(mark), GONE).toBe(0);
  });

  test('a cancelled query is gone from the list of processes', async () => {
    const mark = randomUUID();
    const leaving = new AbortController();
    const outcome = read(`${ENDLESS} where '${mark}' <> ''`, { signal: leaving.signal });
    await expect.poll(() => running(mark), GONE).toBe(1);
    leaving.abort();
    await expect.poll(() => running(mark), GONE).toBe(0);
    expect(await outcome).toMatchObject({ kind: 'cancelled' });
  });

  test('a kill whose connection is refused is tried again', async () => {
    let connections = 0;
    const proxy = createServer((socket) => {
      connections += 1;
      // The statement has the first one, the kill the second.
      if (connections === 2) return void socket.destroy();
      const upstream = connectTo(server.options.host);
      socket.on('error', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => socket.destroy()).pipe(socket);
    });
    const path = join(tmpdir(), `posthorn-proxy-${randomUUID()}.sock`);
    proxy.listen(path);
    await once(proxy, 'listening');
    try {
      const mark = randomUUID();
      const leaving = new AbortController();
      const outcome = openMysqlReader({ ...server.options, host: path }, judging.of('mysql')).read({
        ...request,
        // Longer than the poll: the server's own limit must not be what ends it.
        timeoutMs: 120_000,
        sql: `${ENDLESS} where '${mark}' <> ''`,
        signal: leaving.signal,
      });
      await expect.poll(() => running(mark), GONE).toBe(1);
      leaving.abort();
      await expect.poll(() => running(mark), GONE).toBe(0);
      expect(await outcome).toMatchObject({ kind: 'cancelled' });
      expect(connections).toBe(3);
    } finally {
      proxy.close();
    }
  });

  test.each([
    ['before it greets', '', false],
    ['when it is asked what its user may do', 'show grants', true],
    ['when it is prepared', 'select version()', false],
    ['when it runs the statement', 'select 42', true],
  ])('a server that hangs %s is left when the time is over, or the asker leaves', async (_, mark, known) => {
    const cut = known && { cut: expect.any(String) };
    const path = join(tmpdir(), `posthorn-hangs-${randomUUID()}.sock`);
    const { hanging, close } = await openHangingServer({ path, target: server.options.host, mark });
    const asked = { ...request, sql: 'select 42' };
    const hung = openMysqlReader({ ...server.options, host: path }, judging.of('mysql'));
    const never = new AbortController().signal;
    expect(await hung.read({ ...asked, timeoutMs: 200, signal: never })).toEqual({
      kind: 'timed_out',
      ...cut,
    });
    await expect.poll(hanging, GONE).toBe(0);
    const leaving = new AbortController();
    const outcome = hung.read({ ...asked, timeoutMs: 600_000, signal: leaving.signal });
    await expect.poll(hanging, GONE).toBe(1);
    leaving.abort();
    expect(await outcome).toEqual({ kind: 'cancelled', ...cut });
    await expect.poll(hanging, GONE).toBe(0);
    close();
  });

  test('an answer ends at its limit of bytes', async () => {
    const large = await read("select repeat('x', 100000) from numbers", { mostBytes: 1_000_000 });
    expect(large).toMatchObject({ kind: 'done', truncated: true });
    expect(large.kind === 'done' && large.rows.length).toBeLessThan(11);
  });

  test('an answer ends at its limit of cells', async () => {
    const nothing = `select ${Array(1_000).fill('null').join(', ')} from numbers`;
    const wide = await read(nothing, { mostCells: 100_000 });
    expect(wide).toMatchObject({ kind: 'done', truncated: true });
    expect(wide.kind === 'done' && wide.rows.length).toBe(100);
    const whole = await read('select n, label from numbers', { mostCells: 10_000 });
    expect(whole).toMatchObject({ kind: 'done', truncated: false });
  });

  test('cells are in the words of the database', async () => {
    const sql = `select 9223372036854775807 as big, 1.10 as exact, 1e20 as approximate, null as nothing, '商戶' as words,
      x'ff00' as bytes, cast('2026-01-02 03:04:05' as datetime) as moment, json_object('a', 1) as told, b'101' as bits`;
    const outcome = await read(sql);
    expect(outcome).toMatchObject({
      kind: 'done',
      rows: [
        [
          '9223372036854775807',
          '1.10',
          '1e20',
          null,
          '商戶',
          '0xff00',
          '2026-01-02 03:04:05',
          '{"a": 1}',
          expect.any(String),
        ],
      ],
    });
    expect(outcome.kind === 'done' && outcome.columns[0]).toEqual({ name: 'big', type: 'longlong' });
  });

  test('a fault is told with its place, also behind comments', async () => {
    const placeOf = async (sql: string) => {
      const verdict = await reader.judge(sql, 1_000);
      if (verdict.kind === 'refused') throw new Error(verdict.detail);
      const outcome = await read(verdict.sql);
      return outcome.kind === 'failed' && outcome.position !== undefined
        ? sql.slice(verdict.begin + outcome.position)
        : outcome;
    };
    expect(await placeOf('/* 商戶 */ select no_such from numbers -- x')).toBe('no_such from numbers -- x');
    expect(await placeOf('-- a\nselect n.no_such from numbers n')).toBe('n.no_such from numbers n');
    expect(await placeOf('select 1 /* b */ from no_such_table')).toBe('no_such_table');
    expect(await placeOf('select n from numbers limit 5 limit 6')).toBe('limit 6');
    // What is quoted stands there before, as a part of other names and in a text.
    expect(await placeOf("select merchant.name, 'm n', nullif(1, 2), m from merchant")).toBe(
      'm from merchant',
    );
    expect(await placeOf('select 1 as `m`, numbers.n, `M`.n from numbers')).toBe('`M`.n from numbers');
    expect(await placeOf("select '商戶', no_such_function(n) from numbers")).toBe(
      'no_such_function(n) from numbers',
    );
    expect(await placeOf('select 1 from merchant_vault.profile')).toBe('profile');
    const twice = 'select n from numbers where n in (select n from numbers limit 5 limit 6)';
    expect(await placeOf(twice)).toBe('limit 6)');
    const long = `limit 5 limit 6${' '.repeat(100)}`;
    expect(await placeOf(`select '${long}'\nfrom numbers\n${long}-- ${'x'.repeat(100)}`)).toMatch(
      /^limit 6 +-- x+$/,
    );
  });

  test('what is not understood is named with its place', async () => {
    const refusal = async (sql: string) => {
      const verdict = await reader.judge(sql, 1_000);
      return verdict.kind === 'refused' ? [verdict.reason, verdict.detail, verdict.position] : verdict;
    };
    expect(await refusal('select 1 form numbers where n = 1')).toEqual(['unreadable', 'numbers', 14]);
    expect(await refusal("select '😀', /* 商戶 */ 5--1, n form x y")).toEqual(['unreadable', 'x', 35]);
    expect(await refusal('selec 1')).toEqual(['kind', 'SELEC', 0]);
    expect(await refusal('explain select from where')).toEqual(['unreadable', 'where', 20]);
    expect(await refusal('select (1')).toEqual(['unfinished', '', 9]);
    expect(await refusal("select '😀' || 'open")).toEqual(['unclosed', "'open", 15]);
  });

  test('a column may be called as objects are made of', async () => {
    const names = ['__proto__', 'constructor', '__defineGetter__'];
    const outcome = await read(`select ${names.map((name) => `1 as \`${name}\``).join(', ')}`);
    expect(outcome).toMatchObject({ kind: 'done', rows: [['1', '1', '1']] });
    expect(outcome.kind === 'done' && outcome.columns.map(({ name }) => name)).toEqual(names);
    expect(await read('select 1 as `__proto__`', { values: [] })).toMatchObject({ rows: [['1']] });
  });

  test('secret columns come masked', async () => {
    const outcome = await read('select distinct password_hash, upper(password_hash) from profile');
    expect(outcome).toMatchObject({ rows: [['••••••', '••••••']] });
  });

  test('a user who could write, or read a secret, is not used at all', async () => {
    const judged = () =>
      openMysqlReader(server.options, judging.of('mysql')).read({
        ...request,
        sql: 'select 1',
        signal: new AbortController().signal,
      });
    expect(await judged()).toMatchObject({ kind: 'done' });
    const excesses: [string, RegExp][] = [
      ['insert on merchant_qa.numbers', /INSERT/i],
      ['file on *.*', /FILE/i],
      ['execute on merchant_qa.*', /EXECUTE/i],
      ['select on merchant_vault.profile', /reading the secret merchant_vault\.profile\.password_hash/],
      ['select (api_token) on merchant_vault.app', /reading the secret merchant_vault\.app\.api_token/],
    ];
    for (const [privilege, reason] of excesses) {
      await server.root.query(`grant ${privilege} to ${MARIADB_USER}@'%'`);
      expect(await judged(), privilege).toEqual({ kind: 'unsafe', message: expect.stringMatching(reason) });
      await server.root.query(`revoke ${privilege} from ${MARIADB_USER}@'%'`);
    }
    expect(await judged()).toMatchObject({ kind: 'done' });
  });

  test('merchants are found here by the same lookups', async () => {
    const asked = { database: 'merchant_qa', timeoutMs: 5_000, signal: new AbortController().signal };
    const find = async (term: string) => findMerchants(reader, { ...asked, term });
    expect(await find('QA100007')).toMatchObject([
      {
        merchant: { id: 'QA100007' },
        profiles: [{ email: 'amy7@example.com', password_hash: '••••••' }],
        relations: [{ merchant_id: 'QA100006' }, { related_id: 'QA100008' }],
        apps: [{ id: 'A7' }],
      },
    ]);
    expect(await find('amy7@EXAMPLE.com')).toHaveLength(1);
    expect(await find("' or '1'='1")).toEqual([]);
    expect(await find('%')).toEqual([]);
  });

  test('databases, tables and columns are listed', async () => {
    const limit = { timeoutMs: 5_000, signal: new AbortController().signal };
    expect(await reader.listDatabases(limit)).toMatchObject({ rows: [['merchant_qa']] });
    expect(await reader.listColumns({ database: 'merchant_qa', ...limit })).toMatchObject({
      rows: expect.arrayContaining([['numbers', 'n', 'int(11)']]),
    });
  });

  // The last test: the zone's user gets another password here.
  test('the built-in zone is made here with its merchants, as often as it is asked for, and its user only reads', async () => {
    const url = `mysql://root@localhost/?socketPath=${encodeURIComponent(server.socket)}`;
    const { zone, script } = await mariadbDemo({ url, password: 'a password of the key' });
    for (const _ of ['first', 'second']) await runScript(url, script);
    const made = openMysqlReader(zone, judging.of('mysql'));
    const asked = {
      database: 'merchant_oversea_qa',
      timeoutMs: 15_000,
      signal: new AbortController().signal,
    };
    const [one, ...more] = (await findMerchants(made, { ...asked, term: 'QA100007' })) as MerchantFound[];
    expect(more).toEqual([]);
    // As in PostgreSQL.
    expect(one?.merchant).toMatchObject({
      name: 'Siem Reap Tutoring',
      country: 'US',
      status: 'active',
      monthly_volume: '18644.33',
      created_at: '2024-01-17 01:59:00',
    });
    expect(one?.apps[0]).toMatchObject({ requests_last_30_days: expect.stringMatching(/^\d+$/) });
    expect(one?.profiles.map(({ password_hash }) => password_hash)).toEqual(['••••••', '••••••']);
    expect(one?.relations.length).toBeGreaterThan(0);
    const count = async (table: string) => {
      const sql = `select count(*) from ${table}`;
      return made.read({ ...asked, sql, mostRows: 1, mostBytes: 1_000 });
    };
    for (const [table, rows] of Object.entries({ merchant: 120, profile: 240, relation: 72, app: 160 }))
      expect(await count(table), table).toMatchObject({ rows: [[String(rows)]] });
    expect(await count('merchant_oversea_qa_vault.profile')).toMatchObject({ kind: 'failed' });
  });
});

describe.skipIf(WHY_NO_MARIADB)('a MariaDB as its installation makes it', () => {
  let server: Awaited<ReturnType<typeof startMariadb>>;
  beforeAll(async () => {
    server = await startMariadb({ bare: false });
  }, 120_000);
  afterAll(() => server?.stop());
  const ask = (options: object = {}) =>
    openMysqlReader({ ...server.options, ...options }, judging.of('mysql')).read({
      database: '',
      sql: 'select 1',
      timeoutMs: 15_000,
      mostRows: 10,
      mostBytes: 1_000,
      signal: new AbortController().signal,
    });
  const unsafe = (reason: RegExp) => ({ kind: 'unsafe', message: expect.stringMatching(reason) });

  test('it is told in words what to drop of it', async () => {
    const { root } = server;
    await root.query("create or replace user ''@localhost");
    expect(await ask()).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/Access denied .* users without a name.*drop user ''@'localhost'/),
    });
    expect(await ask({ password: undefined })).toEqual(unsafe(/drop user ''@'localhost'/));
    await root.query("drop user ''@localhost");
    expect(await ask()).toEqual(
      unsafe(/^everybody may write in databases .*: drop database test; delete from/),
    );
    for (const sql of [
      'drop database test',
      "delete from mysql.db where db like 'test%'",
      'flush privileges',
    ])
      await root.query(sql);
    expect(await ask()).toMatchObject({ kind: 'done' });
    await root.query("alter user root@localhost identified by 'a password'");
    await expect(
      runScript(`mysql://root@localhost/?socketPath=${encodeURIComponent(server.socket)}`, 'select 1'),
    ).rejects.toThrow(/only through the server's socket.*alter user root@localhost/);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { openMysqlReader } from '../../providers/mysql-reader/index.ts';
import { startMariadb, WHY_NO_MARIADB } from '../../providers/mysql-reader/testing/mariadb.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import type { Reader } from './index.ts';
import { openTestJudging } from './testing/judging.ts';
import { makeTestZones } from './testing/postgres.ts';
import { type Expected, MYSQL, POSTGRES, SHARED, type Statements } from './testing/statements.ts';

const LIMIT = 1_000;

const judging = openTestJudging();
afterAll(judging.close);

const casesOf = (...tables: Statements[]): [string, Expected][] =>
  tables.flatMap((table) =>
    Object.entries(table).flatMap(([expected, statements]) =>
      statements.map((sql): [string, Expected] => [sql, expected as Expected]),
    ),
  );

/** What becomes of the statement, and how many rows it brings. */
const become = async (reader: Reader, database: string, sql: string) => {
  const verdict = await reader.judge(sql, LIMIT);
  if (verdict.kind === 'refused') return { became: verdict.reason, rows: 0 };
  const outcome = await reader.read({
    database,
    sql: verdict.sql,
    rowLimit: LIMIT,
    timeoutMs: 15_000,
    mostRows: 10_000,
    mostBytes: 8_000_000,
    signal: new AbortController().signal,
  });
  if (outcome.kind === 'failed') return { became: 'database', rows: 0, message: outcome.message };
  if (outcome.kind !== 'done') return { became: outcome.kind, rows: 0 };
  return { became: verdict.limited ? 'limited' : 'own', rows: outcome.rows.length };
};

const judgeAll = async (reader: Reader, database: string, cases: [string, Expected][]) => {
  const wrong: object[] = [];
  for (const [sql, expected] of cases) {
    const found = await become(reader, database, sql);
    if (found.became !== expected) wrong.push({ sql, expected, ...found });
    if (found.became === 'limited' && found.rows > LIMIT) wrong.push({ sql, rows: found.rows });
  }
  return wrong;
};

test('the tables hold more than 300 statements', () => {
  expect(casesOf(SHARED, POSTGRES).length + casesOf(MYSQL).length).toBeGreaterThan(300);
});

const nested = (open: string, close: string, many: number): string =>
  `select ${open.repeat(many)}1${close.repeat(many)}`;
/** What takes a parser too far, by its length or its depth: in time, in memory or in its stack. */
const DEEP = [
  nested('(', ')', 20_000),
  nested('(', ')', 201),
  nested('cast(', ' as char)', 3_000),
  nested('case when 1 then ', ' end', 2_000),
  nested('array[', ']', 10_000),
  nested('(select ', ')', 1_000),
  `${'select * from ('.repeat(3_000)}select 1${') x'.repeat(3_000)}`,
  `select ${'1+'.repeat(30_000)}1`,
  `select ${'not '.repeat(15_000)}true`,
  `select ${'- '.repeat(30_000)}1`,
  `select 1${'::int'.repeat(15_000)}`,
  '('.repeat(100_000),
];
const expectDeepRefused = async (reader: Reader, more: string[] = []) => {
  for (const sql of [...DEEP, ...more]) {
    const begun = performance.now();
    expect(await reader.judge(sql, LIMIT), sql.slice(0, 20)).toMatchObject({
      kind: 'refused',
      reason: 'deep',
    });
    expect(performance.now() - begun, sql.slice(0, 20)).toBeLessThan(5_000);
    expect(await reader.judge('select n from numbers', LIMIT)).toMatchObject({
      kind: 'reads',
      limited: true,
    });
  }
};

describe('PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let zones: Awaited<ReturnType<typeof makeTestZones>>;
  let reader: Reader;
  beforeAll(async () => {
    database = await testDatabase();
    zones = await makeTestZones(database);
    reader = openPostgresReader(zones.hk, judging.of('postgres'));
  });
  afterAll(async () => {
    await zones?.close();
    await database?.close();
  });

  test('each statement is refused or limited as it must be', { timeout: 300_000 }, async () => {
    expect(await judgeAll(reader, zones.database, casesOf(SHARED, POSTGRES))).toEqual([]);
  });

  test('a statement that is too long or too deep is refused, and the next one is judged', () =>
    expectDeepRefused(reader));
});

describe.skipIf(WHY_NO_MARIADB)(`MariaDB${WHY_NO_MARIADB ? `: ${WHY_NO_MARIADB}` : ''}`, () => {
  let server: Awaited<ReturnType<typeof startMariadb>>;
  let reader: Reader;
  beforeAll(async () => {
    server = await startMariadb();
    reader = openMysqlReader(server.options, judging.of('mysql'));
  }, 120_000);
  afterAll(() => server?.stop());

  test('each statement is refused or limited as it must be', { timeout: 300_000 }, async () => {
    expect(await judgeAll(reader, 'merchant_qa', casesOf(SHARED, MYSQL))).toEqual([]);
  });

  test('a statement that is too long or too deep is refused, and the next one is judged', () =>
    expectDeepRefused(reader, [nested('cast(', ' as char)', 20), nested('cast(1 + ', ' as signed)', 20)]));
});

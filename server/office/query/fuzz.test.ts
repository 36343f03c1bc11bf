import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { openMysqlReader } from '../../providers/mysql-reader/index.ts';
import { startMariadb, WHY_NO_MARIADB } from '../../providers/mysql-reader/testing/mariadb.ts';
import { openPostgresReader } from '../../providers/postgres-reader/index.ts';
import type { Reader } from './index.ts';
import { harmless, hostile, randomOf } from './testing/fuzz.ts';
import { openTestJudging } from './testing/judging.ts';
import { makeTestZones } from './testing/postgres.ts';

const LIMIT = 1_000;
const SEED = 20_261_116;
const HARMLESS = 250;
const HOSTILE = 500;

const judging = openTestJudging();
afterAll(judging.close);

type Rows = (string | null)[][] | 'refused' | 'failed';

const ask = async (reader: Reader, database: string, sql: string): Promise<Rows> => {
  const verdict = await reader.judge(sql, LIMIT);
  if (verdict.kind === 'refused') return 'refused';
  const outcome = await reader.read({
    database,
    sql: verdict.sql,
    rowLimit: LIMIT,
    timeoutMs: 15_000,
    mostRows: 10_000,
    mostBytes: 8_000_000,
    signal: new AbortController().signal,
  });
  return outcome.kind === 'done' ? outcome.rows : 'failed';
};

const sorted = (rows: (string | null)[][]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** The same rows; of more than the limit, as many as it allows. */
const agree = (ours: Rows, engines: Rows): boolean => {
  if (typeof ours === 'string' || typeof engines === 'string') return ours === engines;
  if (engines.length > LIMIT && ours.length === LIMIT) return true;
  return sorted(ours).join() === sorted(engines).join();
};

/** What becomes of the statements, and those that the engine itself answers differently. */
const compare = async (
  askOurs: (sql: string) => Promise<Rows>,
  askEngine: (sql: string) => Promise<Rows>,
): Promise<{ share: number; differing: string[] }> => {
  const random = randomOf(SEED);
  const differing: string[] = [];
  for (let count = 0; count < HARMLESS; count += 1) {
    const sql = harmless(random);
    if (!agree(await askOurs(sql), await askEngine(sql))) differing.push(sql);
  }
  return { share: 1 - differing.length / HARMLESS, differing };
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

  /** Every row of every table, and everything that there is. */
  const snapshot = async () => {
    const { pool } = zones.owner;
    const { rows: tables } = await pool.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'masked')",
    );
    const contents = await Promise.all(
      tables.map(async ({ name }) => {
        const { rows } = await pool.query(
          `select md5(string_agg(t::text, '' order by t::text)) as sum from ${name} t`,
        );
        return [name, rows[0]?.sum];
      }),
    );
    const { rows: all } = await pool.query(
      `select (select count(*) from pg_class) as relations, (select count(*) from pg_proc) as functions,
        (select count(*) from pg_largeobject_metadata) as objects,
        -- Without those of the zones that other tests make on this server.
        (select count(*) from pg_roles where rolname !~ '_[0-9a-f]{10}') as roles,
        (select md5(string_agg(relacl::text, '' order by oid)) from pg_class) as grants`,
    );
    return { contents: Object.fromEntries(contents), ...all[0] };
  };

  test('none of the statements of a fuzzer writes', { timeout: 300_000 }, async () => {
    const random = randomOf(SEED);
    const before = await snapshot();
    for (let count = 0; count < HOSTILE; count += 1)
      await ask(reader, zones.database, hostile(random, 'postgres'));
    expect(await snapshot()).toEqual(before);
  });

  test('harmless statements are answered as PostgreSQL itself answers them', {
    timeout: 300_000,
  }, async () => {
    const client = await zones.owner.pool.connect();
    try {
      await client.query('set search_path = masked');
      const engine = async (sql: string): Promise<Rows> => {
        const types = { getTypeParser: () => (text: string) => text };
        return client.query({ text: sql, rowMode: 'array', types: types as never }).then(
          ({ rows }) => rows as Rows,
          () => 'failed',
        );
      };
      const { share, differing } = await compare((sql) => ask(reader, zones.database, sql), engine);
      expect(differing).toEqual([]);
      expect(share).toBeGreaterThanOrEqual(0.95);
    } finally {
      client.release();
    }
  });
});

describe.skipIf(WHY_NO_MARIADB)(`MariaDB${WHY_NO_MARIADB ? `: ${WHY_NO_MARIADB}` : ''}`, () => {
  let server: Awaited<ReturnType<typeof startMariadb>>;
  let reader: Reader;
  beforeAll(async () => {
    server = await startMariadb();
    reader = openMysqlReader(server.options, judging.of('mysql'));
  }, 120_000);
  afterAll(() => server?.stop());

  const snapshot = async () => {
    const rowsOf = async (sql: string) => (await server.root.query(sql))[0];
    return {
      sums: await rowsOf(
        `checksum table merchant_qa.numbers, merchant_qa.merchant, merchant_qa.relation, merchant_vault.profile, merchant_vault.app`,
      ),
      tables: await rowsOf('select table_schema, table_name from information_schema.tables order by 1, 2'),
      routines: await rowsOf(
        'select count(*) from information_schema.routines where routine_schema like "merchant%"',
      ),
      users: await rowsOf('select user, host from mysql.user order by 1, 2'),
    };
  };

  test('none of the statements of a fuzzer writes', { timeout: 300_000 }, async () => {
    const random = randomOf(SEED);
    const before = await snapshot();
    for (let count = 0; count < HOSTILE; count += 1)
      await ask(reader, 'merchant_qa', hostile(random, 'mysql'));
    expect(await snapshot()).toEqual(before);
  });

  test('harmless statements are answered as MariaDB itself answers them', { timeout: 300_000 }, async () => {
    const engine = async (sql: string): Promise<Rows> =>
      server.root.query({ sql, rowsAsArray: true, typeCast: (field) => field.string() }).then(
        ([rows]) => rows as Rows,
        () => 'failed',
      );
    await server.root.query('use merchant_qa');
    const { share, differing } = await compare((sql) => ask(reader, 'merchant_qa', sql), engine);
    // What the parser can't read is refused: that has to be rare.
    expect(share, differing.slice(0, 5).join('\n\n')).toBeGreaterThanOrEqual(0.95);
  });
});

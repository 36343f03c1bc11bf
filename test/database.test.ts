import { afterAll, expect, test } from 'vitest';
import { emptyDatabase, testDatabase } from './database.ts';

const database = await testDatabase();
afterAll(database.close);

test('a test database is migrated', async () => {
  const { rows } = await database.pool.query('select name from migrations');
  expect(rows.length).toBeGreaterThan(0);
});

test('many files may clone the template at the same moment, and none sees what another writes', async () => {
  const clones = await Promise.all(Array.from({ length: 12 }, () => testDatabase()));
  await Promise.all(clones.map(({ pool }, at) => pool.query(`create table only_in_${at} ()`)));
  const tables = await Promise.all(
    clones.map(({ pool }) =>
      pool
        .query("select tablename from pg_tables where tablename like 'only%'")
        .then(({ rows }) => rows.length),
    ),
  );
  expect(tables).toEqual(clones.map(() => 1));
  await Promise.all(clones.map(({ close }) => close()));
});

test('a closed test database is gone', async () => {
  const { url, drop } = await emptyDatabase();
  await drop();
  const name = new URL(url).pathname.slice(1);
  const { rows } = await database.pool.query('select from pg_database where datname = $1', [name]);
  expect(rows).toEqual([]);
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../checks/tool.ts';
import { openDatabase } from '../server/ground/postgres/index.ts';
import { emptyDatabase } from './database.ts';

const ROOT = join(import.meta.dirname, '..');
const PROCESSES = 10;

test('ten processes that start together apply each migration once', async () => {
  const { url, drop } = await emptyDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-migrate-'));
  const { pool, close } = openDatabase({ url, max: 2, onError: () => {} });
  onTestFinished(async () => {
    await close();
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  // A table that is about to exist holds everyone back, so that all ten start at the same moment.
  const gate = await pool.connect();
  await gate.query('begin; create table migrations ()');
  const started = Array.from({ length: PROCESSES }, () =>
    runProgram([process.execPath, 'server/commands/migrate.ts'], {
      cwd: ROOT,
      env: { DATABASE_URL: url, DATA_DIR: dataDir },
    }),
  );
  const waiting = async () => {
    const { rows } = await pool.query<{ count: bigint }>(
      "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return Number(rows[0]?.count);
  };
  await expect.poll(waiting, { timeout: 120_000 }).toBe(PROCESSES);
  await gate.query('rollback');
  gate.release();

  const runs = await Promise.all(started);
  expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
  const files = (await readdir(join(ROOT, 'server/migrations')))
    .filter((name) => name.endsWith('.sql'))
    .sort();
  // One process reported each migration, and the table has each one once.
  const told = runs.flatMap(({ output }) => files.filter((name) => output.includes(name)));
  expect(told.sort()).toEqual(files);
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by name');
  expect(rows.map(({ name }) => name)).toEqual(files);
});

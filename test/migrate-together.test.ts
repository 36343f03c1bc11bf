import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../checks/tool.ts';
import { openDatabase } from '../server/postgres/index.ts';
import { emptyDatabase } from './database.ts';

const ROOT = join(import.meta.dirname, '..');
const PROCESSES = 10;

test('ten processes that start together apply each migration once', async () => {
  const { url, drop } = await emptyDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-migrate-'));
  onTestFinished(async () => {
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const runs = await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      runProgram([process.execPath, 'server/commands/migrate.ts'], {
        cwd: ROOT,
        env: { DATABASE_URL: url, DATA_DIR: dataDir },
      }),
    ),
  );
  expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
  const files = (await readdir(join(ROOT, 'server/migrations')))
    .filter((name) => name.endsWith('.sql'))
    .sort();
  // One process told of each migration, and the table has each one once.
  const told = runs.flatMap(({ output }) => files.filter((name) => output.includes(name)));
  expect(told.sort()).toEqual(files);
  const database = openDatabase({ url, max: 1, onError: () => {} });
  onTestFinished(database.close);
  const { rows } = await database.pool.query<{ name: string }>('select name from migrations order by name');
  expect(rows.map(({ name }) => name)).toEqual(files);
});

import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { running, usedDataDir } from './data-dir.ts';
import { familyOf, postgresPid } from './processes.ts';

const NORMAL = 0;
const BATCH = 3;

/** Field 41 of proc(5), where the third follows the name in brackets. */
const policyOf = async (pid: number | undefined): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]);
};

const canBatch = spawnSync('chrt', ['-b', '0', 'true']).status === 0;

test.skipIf(!canBatch)('the built-in database is batch work, the program is not', async () => {
  const dataDir = await usedDataDir();
  const program = await running({ dataDir });
  const database = await familyOf(await postgresPid(dataDir));
  expect(database.length).toBeGreaterThan(3);
  const policies = await Promise.all(database.map((pid) => policyOf(pid).catch(() => BATCH)));
  expect(new Set(policies)).toEqual(new Set([BATCH]));
  expect(await policyOf(program.process.pid)).toBe(NORMAL);
});

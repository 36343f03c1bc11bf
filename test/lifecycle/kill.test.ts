import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callApi } from '../api.ts';
import { startProgram, untilReady } from '../program.ts';
import { running, usedDataDir } from './data-dir.ts';
import { familyOf, leftOf, postgresPid } from './processes.ts';

const logIn = async (url: string, dataDir: string): Promise<string> => {
  const { customer } = JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
  const { reply } = await callApi(url, 'POST /account/login', { body: customer });
  return reply.token;
};

const isKnown = async (url: string, token: string): Promise<boolean> =>
  (await callApi(url, 'GET /account/me/profile', { token })).status === 200;

test('after kill -9 the next start works at once, with nothing lost', async () => {
  const dataDir = await usedDataDir();
  const first = await startProgram({ dataDir });
  const token = await logIn(first.url, dataDir);
  await first.kill();
  const second = await running({ dataDir });
  expect(await isKnown(second.url, token)).toBe(true);
});

test('after kill -9 the database ends by itself', async () => {
  const dataDir = await usedDataDir();
  const program = await startProgram({ dataDir });
  const family = await familyOf(program.process.pid);
  expect(family.length).toBeGreaterThan(3);
  await program.kill();
  expect(await leftOf(family, 15_000)).toEqual([]);
});

test('a database that outlives its program is taken over by the next start', async () => {
  const dataDir = await usedDataDir();
  const first = await startProgram({ dataDir });
  const token = await logIn(first.url, dataDir);
  const family = await familyOf(first.process.pid);
  const postgres = await postgresPid(dataDir);
  // The guard is killed first, so that nothing ends the database.
  for (const pid of family.slice(1)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith('sh\0')) process.kill(pid, 'SIGKILL');
  }
  await first.kill();
  expect(await leftOf([postgres], 1_000)).toEqual([postgres]);
  const second = await running({ dataDir });
  expect(await postgresPid(dataDir)).toBe(postgres);
  expect(await isKnown(second.url, token)).toBe(true);
  expect((await second.stop()).code).toBe(0);
  expect(await leftOf([postgres], 15_000)).toEqual([]);
});

test('when the database is killed it is started again, and the program is ready again', async () => {
  const dataDir = await usedDataDir();
  const program = await running({ dataDir });
  const token = await logIn(program.url, dataDir);
  const before = await postgresPid(dataDir);
  process.kill(before, 'SIGKILL');
  const end = Date.now() + 60_000;
  const after = async () => postgresPid(dataDir).catch(() => before);
  while ((await after()) === before && Date.now() < end) await sleep(50);
  await untilReady(program);
  expect(await isKnown(program.url, token)).toBe(true);
  // It answers again as soon as it can be reached, perhaps before its program has taken it over.
  await expect.poll(program.output).toContain('The database runs again');
  const family = await familyOf(program.process.pid);
  expect((await program.stop()).code).toBe(0);
  expect(await leftOf(family, 15_000)).toEqual([]);
});

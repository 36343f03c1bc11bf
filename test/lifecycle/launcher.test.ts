import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, startProgram } from '../program.ts';
import { usedDataDir } from './data-dir.ts';
import { familyOf, leftOf } from './processes.ts';

test('an unknown command is answered with the known ones', () => {
  const { status, stderr } = spawnSync(process.execPath, ['posthorn.mjs', 'brew'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^posthorn: Say what to do: .*start\|dev\|test.*\.\n$/);
});

/** The Node of the machine, if it is one that can only bootstrap. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => /^v2[0-3]\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''));
const onOlderNode = ([, ...rest]: string[]) => [olderNode ?? '', ...rest];

test.skipIf(!olderNode)('an older Node passes a signal on and waits for the end', async () => {
  const program = await startProgram({ dataDir: await usedDataDir(), wrap: onOlderNode });
  const family = await familyOf(program.process.pid);
  const { code, stdout } = await program.stop();
  expect(code).toBe(0);
  expect(stdout).toContain('stopped');
  expect(await leftOf(family, 2_000)).toEqual([]);
});

test.skipIf(!olderNode)('what an older Node has started ends with it, even by kill -9', async () => {
  const program = await startProgram({ dataDir: await usedDataDir(), wrap: onOlderNode });
  const family = await familyOf(program.process.pid);
  expect(family.length).toBeGreaterThan(3);
  program.process.kill('SIGKILL');
  expect(await leftOf(family, 20_000)).toEqual([]);
});

const npmStart = () => ['npm', 'start', '--silent'];

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm start ends everything before npm ends',
  async (signal) => {
    const program = await startProgram({ dataDir: await usedDataDir(), wrap: npmStart });
    const family = await familyOf(program.process.pid);
    expect(family.length).toBeGreaterThan(3);
    expect((await program.stop(signal)).stdout).toContain('stopped');
    expect(await leftOf(family, 2_000)).toEqual([]);
  },
);

test('what npm start has started ends with npm, even by kill -9', async () => {
  const program = await startProgram({ dataDir: await usedDataDir(), wrap: npmStart });
  const family = await familyOf(program.process.pid);
  program.process.kill('SIGKILL');
  expect(await leftOf(family, 20_000)).toEqual([]);
});

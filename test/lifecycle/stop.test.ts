import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchProgram, startProgram, untilReady } from '../program.ts';
import { newDataDir, usedDataDir } from './data-dir.ts';
import { familyOf, leftOf, postgresPid } from './processes.ts';

test('the first start leaves the passwords readable by their owner only', async () => {
  const dataDir = await newDataDir();
  const program = await startProgram({ dataDir });
  const { mode } = await stat(join(dataDir, 'first-run.json'));
  await program.stop();
  expect((mode & 0o777).toString(8)).toBe('600');
  expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe('700');
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends everything in good order', async (signal) => {
  const dataDir = await usedDataDir();
  const program = await startProgram({ dataDir });
  const family = await familyOf(program.process.pid);
  expect(family).toContain(await postgresPid(dataDir));
  const { code, stderr } = await program.stop(signal);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await leftOf(family, 15_000)).toEqual([]);
});

test('a Ctrl-C that reaches the whole process group, and once more through npm, still drains', async () => {
  const program = await startProgram({ dataDir: await usedDataDir() });
  const { pid } = program.process;
  if (pid === undefined) throw new Error('no process');
  const family = await familyOf(pid);
  process.kill(-pid, 'SIGINT');
  process.kill(pid, 'SIGINT');
  const { code, stdout } = await program.ended();
  expect(code).toBe(0);
  expect(stdout).toContain('stopped');
  expect(await leftOf(family, 15_000)).toEqual([]);
});

test('a start that is broken off leaves nothing running, and the next one works', async () => {
  const dataDir = await newDataDir();
  for (const afterMs of [300, 900, 1_500]) {
    const broken = await launchProgram({ dataDir });
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    const family = await familyOf(broken.process.pid);
    await broken.stop();
    expect(await leftOf(family, 15_000)).toEqual([]);
  }
  const program = await launchProgram({ dataDir });
  await untilReady(program);
  expect((await program.stop()).code).toBe(0);
});

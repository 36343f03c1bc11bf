import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

const launch = (...args: string[]) =>
  spawnSync(process.execPath, ['posthorn.mjs', ...args], { cwd: ROOT, encoding: 'utf8', timeout: 60_000 });

test.each([
  ['an option', ['start', '--role', 'web'], "Unknown option '--role'"],
  ['a word', ['start', 'web'], 'web is not known here'],
  ['an option without its value', ['start', '--roles'], '--roles'],
  ['a word after the last', ['create-admin', 'a@example.com', 'secret word', 'more'], 'more is not known'],
  ['an option of another command', ['migrate', '--roles', 'web'], '--roles'],
])('%s that a command does not know is refused with its usage', (_, args, reason) => {
  const { status, stdout, stderr } = launch(...args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(reason);
  expect(stderr).toMatch(new RegExp(`^Usage: npm (run )?${args[0]}`, 'm'));
});

test('every command tells its usage and does nothing else', () => {
  const all = launch('--help').stdout;
  const names = [...all.matchAll(/^ {2}npm (?:run )?([\w-]+)/gm)].map(([, name]) => name ?? '');
  expect(names).toEqual(Object.keys(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).scripts));
  for (const name of names) {
    const { status, stdout, stderr } = launch(name, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name}`));
  }
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
  expect(await leftOf(family, 15_000)).toEqual([]);
});

test.skipIf(!olderNode)('what an older Node has started ends with it, even by kill -9', async () => {
  const program = await startProgram({ dataDir: await usedDataDir(), wrap: onOlderNode });
  const family = await familyOf(program.process.pid);
  expect(family.length).toBeGreaterThan(3);
  program.process.kill('SIGKILL');
  expect(await leftOf(family, 60_000)).toEqual([]);
});

const npmStart = () => ['npm', 'start', '--silent'];

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm start ends everything before npm ends',
  async (signal) => {
    const program = await startProgram({ dataDir: await usedDataDir(), wrap: npmStart });
    const family = await familyOf(program.process.pid);
    expect(family.length).toBeGreaterThan(3);
    expect((await program.stop(signal)).stdout).toContain('stopped');
    expect(await leftOf(family, 15_000)).toEqual([]);
  },
);

test('what npm start has started ends with npm, even by kill -9', async () => {
  const program = await startProgram({ dataDir: await usedDataDir(), wrap: npmStart });
  const family = await familyOf(program.process.pid);
  program.process.kill('SIGKILL');
  expect(await leftOf(family, 60_000)).toEqual([]);
});

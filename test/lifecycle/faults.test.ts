import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchProgram, type ProgramOptions, untilReady } from '../program.ts';
import { newDataDir, running, temporaryFolder, usedDataDir } from './data-dir.ts';

/** What a start that can't succeed prints: only sentences, and exit code 1. */
const faultOf = async (options: ProgramOptions): Promise<string> => {
  const { code, stderr } = await (await launchProgram(options)).ended();
  expect(code, stderr).toBe(1);
  expect(stderr).not.toMatch(/^\s+at |Error:/m);
  return stderr.trim();
};

/** The same for one sentence in one line. */
const sentenceOf = async (options: ProgramOptions): Promise<string> => {
  const sentence = await faultOf(options);
  expect(sentence).toMatch(/^posthorn: [^\n]+\.$/);
  return sentence;
};

test('a second program on the same data folder', async () => {
  const dataDir = await usedDataDir();
  const first = await running({ dataDir });
  expect(await sentenceOf({ dataDir })).toContain(`already running on this data folder (${dataDir})`);
  expect((await fetch(`${first.url}/readyz`)).status, 'the first goes on').toBe(200);
});

test('of programs that start at the same instant one wins', async () => {
  const dataDir = await newDataDir();
  const programs = await Promise.all([1, 2, 3].map(() => launchProgram({ dataDir })));
  const outcomes = await Promise.all(
    programs.map((program) =>
      untilReady(program).then(
        () => 'ready',
        () => program.output(),
      ),
    ),
  );
  const ended = await Promise.all(programs.map((program) => program.stop()));
  expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1);
  for (const { stderr } of ended.filter(({ code }) => code === 1))
    expect(stderr).toContain('already running on this data folder');
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
});

test('a port that is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const sentence = await sentenceOf({ dataDir: await newDataDir(), env: { PORT: String(port) } });
  server.close();
  expect(sentence).toContain(`${port}`);
  expect(sentence).toContain('PORT');
});

test('settings with several faults, all listed at once', async () => {
  const env = { PORT: 'seaport', SMTP_URL: 'ftp://mail', LOG_LEVEL: 'loud' };
  const text = await faultOf({ dataDir: await newDataDir(), env, args: ['--roles', 'web,cook'] });
  for (const part of ['PORT', 'seaport', 'SMTP_URL', 'LOG_LEVEL', '--roles', 'cook'])
    expect(text).toContain(part);
});

test('a data folder that is a file, or lies below one', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  expect(await sentenceOf({ dataDir: file })).toMatch(/DATA_DIR|data folder/);
  expect(await sentenceOf({ dataDir: join(file, 'data') })).toMatch(/DATA_DIR|data folder/);
});

const LOST = { PG_VERSION: 'PG_VERSION', 'global/pg_control': 'pg_control' };

test.each(Object.entries(LOST))('a database that has lost its %s', async (file, word) => {
  const dataDir = await usedDataDir();
  await rm(join(dataDir, 'postgres', file));
  const before = await readdir(join(dataDir, 'postgres'));
  const sentence = await sentenceOf({ dataDir });
  for (const part of [join(dataDir, 'postgres'), join(dataDir, 'postgres.log'), 'backup', word])
    expect(sentence).toContain(part);
  expect(await readdir(join(dataDir, 'postgres')), 'nothing is removed').toEqual(before);
});

test('a database of another PostgreSQL version', async () => {
  const dataDir = await newDataDir();
  await mkdir(join(dataDir, 'postgres'), { recursive: true });
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '15\n');
  expect(await sentenceOf({ dataDir })).toContain('made by PostgreSQL 15');
});

/** Runs the program with a separate disk at DATA_DIR. */
const onDisk = async (options: string): Promise<ProgramOptions> => {
  const dataDir = await temporaryFolder();
  const script = `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`;
  return { dataDir, wrap: (command) => ['unshare', '-rm', 'sh', '-c', script, dataDir, ...command] };
};
const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

test.skipIf(!canMount).each(['64k', '24m'])('a disk with no more than %s', async (size) => {
  expect(await sentenceOf(await onDisk(`size=${size}`))).toMatch(/no space left|disk is full/);
});

test.skipIf(!canMount)('a disk that cannot be written', async () => {
  expect(await sentenceOf(await onDisk('ro'))).toMatch(/cannot be written|read-only/);
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isGone, listenAlive } from './alive-socket.ts';
import { findDeadJournals, type Journal, type JournalAnswer, openJournal } from './index.ts';
import { parseJournal } from './journal-file.ts';

const WORKER = '11111111-1111-4111-8111-111111111111';
const ACCEPTED: JournalAnswer = { outcome: { outcome: 'accepted', providerMessageId: 'c-1 é' }, at: 5 };
const attempt = (id: string, attempts = 1) => ({ id, attempts });

let folder: string;
const opened: Journal[] = [];
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((journal) => journal.close()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const open = async (options: Partial<Parameters<typeof openJournal>[0]> = {}): Promise<Journal> => {
  const journal = await openJournal({ folder, workerId: WORKER, onBroken: () => {}, ...options });
  opened.push(journal);
  return journal;
};
const pathOf = (workerId = WORKER): string => join(folder, `${workerId.slice(0, 8)}.journal`);

/** A process that keeps a journal, hands over `a` and `b`, gets the answer to `a`, and waits to be killed. */
const startWriter = async (workerId = WORKER): Promise<ChildProcess> => {
  const source = `
    const { openJournal } = await import(${JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))});
    const journal = await openJournal({ folder: ${JSON.stringify(folder)}, workerId: ${JSON.stringify(workerId)}, onBroken: () => {} });
    journal.begin([{ id: 'a', attempts: 1 }, { id: 'b', attempts: 3 }]);
    journal.answer({ id: 'a', attempts: 1 }, ${JSON.stringify(ACCEPTED)});
    setImmediate(() => process.stdout.write('ready'));
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
};
const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};
const handedIn = async (): Promise<unknown[]> =>
  (await findDeadJournals(folder)).map(({ handed }) => handed && Object.fromEntries(handed));

test('what a killed process handed over and was answered is found, but not while it lives', async () => {
  const writer = await startWriter();
  expect(await handedIn()).toEqual([]);
  writer.kill('SIGSTOP');
  expect(await handedIn()).toEqual([]);
  await kill(writer);
  const dead = await findDeadJournals(folder);
  expect(dead.map(({ workerId }) => workerId)).toEqual([WORKER]);
  expect(Object.fromEntries(dead[0]?.handed ?? [])).toEqual({ 'a 1': { answer: ACCEPTED }, 'b 3': {} });
  await dead[0]?.remove();
  expect(readdirSync(folder)).toEqual([]);
});

test('a last line that was torn is left out; a damaged one before it spoils the journal', async () => {
  await kill(await startWriter());
  appendFileSync(pathOf(), '> torn');
  expect(await handedIn()).toEqual([{ 'a 1': { answer: ACCEPTED }, 'b 3': {} }]);
  appendFileSync(pathOf(), '\n> c 1\n');
  expect(await handedIn()).toEqual([undefined]);
});

test('a journal of another boot says nothing, and is removed after a day', async () => {
  await kill(await startWriter());
  const [header = '', ...lines] = readFileSync(pathOf(), 'utf8').split('\n');
  const other = { ...JSON.parse(header), bootId: 'another' };
  writeFileSync(pathOf(), [JSON.stringify(other), ...lines].join('\n'));
  expect(await handedIn()).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(2);
  utimesSync(pathOf(), 0, 0);
  expect(await handedIn()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a copy of the folder proves nothing about a process that lives', async () => {
  await startWriter();
  const original = folder;
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  cpSync(pathOf().replace(folder, original), pathOf());
  expect(await handedIn()).toEqual([]);
  // A copied socket, which nobody listens on.
  const socket = join(folder, 'copy.sock');
  const holder = await listenAlive(join(folder, 'other.sock'));
  renameSync(holder.path, socket);
  await holder.close();
  const [header = '', ...lines] = readFileSync(pathOf(), 'utf8').split('\n');
  const parsed = JSON.parse(header);
  writeFileSync(
    pathOf(),
    [JSON.stringify({ ...parsed, socket: { ...parsed.socket, path: socket } }), ...lines].join('\n'),
  );
  expect(await isGone({ path: socket, inode: holder.inode })).toBe(true);
  expect(await handedIn()).toEqual([]);
  rmSync(original, { recursive: true });
});

test('a long journal is written anew with what has no stored result', async () => {
  const journal = await open({ maxBytes: 2_000 });
  const answered = attempt('answered');
  expect(journal.begin([attempt('kept'), answered])).toBe(true);
  journal.answer(answered, ACCEPTED);
  for (let at = 0; at < 1_000; at += 1) {
    const one = attempt(`m-${at}`);
    expect(journal.begin([one])).toBe(true);
    journal.end(one);
  }
  expect(statSync(pathOf()).size).toBeLessThan(2_100);
  const text = readFileSync(pathOf(), 'utf8');
  expect(text).toContain('\n> kept 1\n');
  expect(text).toContain('\n< answered 1 {');
  expect(text).not.toContain('\n> m-1 1\n');
});

test('answers are written without a handover, soon', async () => {
  const journal = await open();
  journal.begin([attempt('a')]);
  journal.answer(attempt('a'), ACCEPTED);
  await nextTurn();
  await nextTurn();
  expect(readFileSync(pathOf(), 'utf8')).toContain('< a 1 {');
});

test('of a message in parts each that went out is in the file before it does, and after a new file too', async () => {
  const journal = await open({ maxBytes: 2_000 });
  const [long, other] = [attempt('long'), attempt('other')];
  const [torn, whole] = [attempt('torn'), attempt('whole')];
  journal.begin([long, other, torn, whole]);
  expect(journal.part(long, { number: 2, total: 3, part: { state: 'unknown' } })).toBe(true);
  expect(readFileSync(pathOf(), 'utf8')).toMatch(/\+ long 1 \{"number":2.*\}\n$/);
  journal.part(long, { number: 2, total: 3, part: { state: 'taken', id: 'c-2 é\n' } });
  journal.part(long, { number: 1, total: 3, part: { state: 'unknown' } });
  journal.part(torn, { number: 1, total: 2, part: { state: 'waiting' } });
  journal.part(whole, { number: 1, total: 2, part: { state: 'unknown' } });
  journal.answer(whole, ACCEPTED);
  for (let at = 0; at < 300; at += 1) {
    const one = attempt(`m-${at}`);
    journal.begin([one]);
    journal.end(one);
  }
  await nextTurn();
  await nextTurn();
  const handed = Object.fromEntries(parseJournal(readFileSync(pathOf(), 'utf8'))?.handed ?? []);
  expect(handed['long 1']).toEqual({
    parts: [{ state: 'unknown' }, { state: 'taken', id: 'c-2 é\n' }, { state: 'waiting' }],
  });
  expect(handed['other 1']).toEqual({});
  expect(handed['torn 1']).toEqual({ parts: [{ state: 'waiting' }, { state: 'waiting' }] });
  expect(handed['whole 1']).toEqual({ answer: ACCEPTED });
});

test.runIf(process.platform === 'linux')(
  'where it can’t be written nothing may be handed over until it is given up',
  async () => {
    symlinkSync('/dev/full', `${pathOf()}.next`);
    const errors: unknown[] = [];
    const journal = await open({ maxBytes: 300, onBroken: (error) => errors.push(error) });
    let at = 0;
    while (at < 100 && journal.begin([attempt(`m-${at}`)])) at += 1;
    expect(at).toBeLessThan(20);
    expect(journal.begin([attempt('next')])).toBe(false);
    expect(journal.isComplete()).toBe(false);
    expect(errors).toHaveLength(1);
    journal.giveUp();
    expect(journal.begin([attempt('next')])).toBe(true);
    expect(journal.isComplete()).toBe(false);
  },
);

test('a path that is too long for a socket is no hindrance', async () => {
  const short = folder;
  folder = join(short, 'long'.repeat(30));
  const journal = await open();
  expect(journal.begin([attempt('a')])).toBe(true);
  const { socket } = JSON.parse(readFileSync(pathOf(), 'utf8').split('\n')[0] ?? '');
  expect(Buffer.byteLength(socket.path)).toBeLessThan(104);
  expect(await handedIn()).toEqual([]);
  folder = short;
});

test('closing removes all', async () => {
  const journal = await open();
  journal.begin([attempt('a')]);
  await journal.close();
  opened.length = 0;
  expect(readdirSync(folder)).toEqual([]);
});

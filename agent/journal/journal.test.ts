import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentSend, HandOverId } from '../../contract/fleet/agent-protocol.ts';
import { refusedOutcome, sent, unknown } from '../modems/modem.ts';
import { type AgentJournal, openAgentJournal } from './journal.ts';

const DAY_MS = 24 * 60 * 60_000;
const idOf = (at: number): HandOverId =>
  `00000000-0000-4000-8000-${String(at).padStart(12, '0')}.1` as HandOverId;
const sendOf = (at: number, rest: Partial<AgentSend> = {}): AgentSend => ({
  type: 'send',
  id: idOf(at),
  modem: 'm1',
  recipient: '+85261112222',
  text: 'Hello',
  validityMinutes: 60,
  receipt: true,
  until: '2026-11-16T12:00:00Z',
  ...rest,
});
const reportOf = (reference: string, rest = {}) => ({
  reference,
  recipient: '+85261112222' as string | undefined,
  state: 'delivered' as const,
  code: 'ST-0',
  at: new Date('2026-11-16T10:00:00Z'),
  ...rest,
});
const arrivalOf = (key: string, number?: number, total = 2) => ({
  key,
  from: '+85261113333',
  text: `part ${number ?? ''}`,
  at: new Date('2026-11-16T10:00:00Z'),
  concatenation: number === undefined ? undefined : { reference: 5, total, number },
});

let folder: string;
let journal: AgentJournal;
let time = Date.parse('2026-11-16T10:00:00Z');
const path = (): string => join(folder, 'agent.journal');
const open = (maxBytes?: number): AgentJournal =>
  openAgentJournal({ path: path(), now: () => time, ...(maxBytes !== undefined && { maxBytes }) });
/** What another process would find, without touching it. */
const copyOf = (file: string): string => {
  copyFileSync(file, `${file}.copy`);
  return `${file}.copy`;
};
/** As a process after a kill finds it. */
const reopen = (): AgentJournal => {
  journal = open();
  return journal;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-journal-'));
  time = Date.parse('2026-11-16T10:00:00Z');
  journal = open();
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

test('what was taken, begun and answered is known after a kill', () => {
  for (const at of [1, 2, 3]) journal.take(sendOf(at));
  journal.begin(idOf(1));
  journal.begin(idOf(2));
  const result = journal.finish(sendOf(1), sent(['17']));
  reopen();
  expect(journal.handOvers().map(({ send, begun, result: noted }) => [send.id, begun, noted])).toEqual([
    [idOf(1), true, result],
    [idOf(2), true, undefined],
    [idOf(3), false, undefined],
  ]);
  expect(journal.unacknowledged()).toEqual([result]);
});

test('a last line that was torn is left out; a damaged one before it stops the agent', () => {
  journal.take(sendOf(1));
  appendFileSync(path(), '{"kind":"take","se');
  expect(reopen().handOvers()).toHaveLength(1);
  const text = readFileSync(path(), 'utf8');
  writeFileSync(path(), `nonsense\n${text}`);
  expect(() => open()).toThrow('damaged in line 1');
  writeFileSync(path(), text);
});

test('an acknowledged result is not said again, but its id is remembered until its time is over', () => {
  journal.take(sendOf(1));
  journal.finish(sendOf(1), sent(['17']));
  journal.acknowledge({ results: [idOf(1)], receipts: [], incoming: [] });
  expect(reopen().unacknowledged()).toEqual([]);
  expect(readFileSync(path(), 'utf8')).not.toContain('Hello');
  journal.sweep(Date.parse('2026-11-16T12:30:00Z'));
  expect(journal.find(idOf(1))).toBeDefined();
  journal.sweep(Date.parse('2026-11-16T13:30:00Z'));
  expect(reopen().find(idOf(1))).toBeUndefined();
});

test('a message is delivered when all its parts are, and a report that comes twice is one receipt', () => {
  journal.take(sendOf(1));
  journal.finish(sendOf(1), sent(['17', '18']));
  expect(journal.report('m1', reportOf('17'))).toBeUndefined();
  expect(journal.report('m1', reportOf('17'))).toBeUndefined();
  const receipt = reopen().report('m1', reportOf('18'));
  expect(receipt).toMatchObject({ type: 'receipt', handOverId: idOf(1), state: 'delivered', modem: 'm1' });
  expect(journal.report('m1', reportOf('18'))).toBeUndefined();
  expect(reopen().unacknowledged()).toContainEqual(receipt);
  journal.acknowledge({ results: [], receipts: [receipt?.id ?? ''], incoming: [] });
  expect(reopen().unacknowledged()).not.toContainEqual(receipt);
});

test('one part that fails is the end of a message', () => {
  journal.take(sendOf(1));
  journal.finish(sendOf(1), sent(['17', '18']));
  expect(journal.report('m1', reportOf('17', { state: 'failed', code: 'ST-65' }))).toMatchObject({
    state: 'failed',
    code: 'ST-65',
  });
  expect(journal.report('m1', reportOf('18'))).toBeUndefined();
});

test('references come again: the recipient, the modem and the latest message count', () => {
  for (const [at, recipient] of [
    [1, '+85261110001'],
    [2, '+85261110002'],
    [3, '+85261110002'],
  ] as const) {
    const send = sendOf(at, { recipient });
    journal.take(send);
    journal.finish(send, sent(['17']));
  }
  expect(journal.report('m2', reportOf('17', { recipient: '+85261110002' }))).toBeUndefined();
  expect(journal.report('m1', reportOf('17', { recipient: '61110002' }))).toMatchObject({
    handOverId: idOf(3),
  });
  expect(journal.report('m1', reportOf('17', { recipient: '+85261110001' }))).toMatchObject({
    handOverId: idOf(1),
  });
});

test('a receipt settles a message whose answer was lost, by its recipient', () => {
  journal.take(sendOf(1));
  journal.finish(sendOf(1), unknown({ parts: 1, code: 'NO_ANSWER' }));
  expect(journal.report('m1', reportOf('99', { recipient: '+85261119999' }))).toBeUndefined();
  expect(journal.report('m1', reportOf('99'))).toMatchObject({ handOverId: idOf(1), state: 'delivered' });
});

test('a repeated report does not settle another message to the same recipient whose answer was lost', () => {
  journal.take(sendOf(1));
  journal.finish(sendOf(1), sent(['17', '18']));
  journal.report('m1', reportOf('17'));
  expect(journal.report('m1', reportOf('18'))).toMatchObject({ handOverId: idOf(1) });
  journal.take(sendOf(2));
  journal.finish(sendOf(2), unknown({ parts: 1, code: 'NO_ANSWER' }));
  for (const reference of ['17', '18']) expect(reopen().report('m1', reportOf(reference))).toBeUndefined();
  expect(journal.report('m1', reportOf('19'))).toMatchObject({ handOverId: idOf(2) });
});

test('a reference that comes again is that of the message which waits, and is forgotten after a day', () => {
  for (const at of [1, 2]) {
    journal.take(sendOf(at));
    journal.finish(sendOf(at), sent(['17']));
    expect(journal.report('m1', reportOf('17'))).toMatchObject({ handOverId: idOf(at) });
  }
  journal.sweep(time + DAY_MS + 1);
  expect(readFileSync(path(), 'utf8')).toContain('"kind":"settle"');
  reopen();
  expect(readFileSync(path(), 'utf8')).not.toContain('"kind":"settle"');
});

test('nobody waits for receipts of what was refused, or beyond the validity', () => {
  journal.take(sendOf(1));
  journal.finish(sendOf(1), refusedOutcome({ parts: 1, code: 'CMS-38' }));
  expect(journal.report('m1', reportOf('17'))).toBeUndefined();
  journal.take(sendOf(2));
  journal.finish(sendOf(2), sent(['17']));
  journal.sweep(time + 2 * DAY_MS);
  expect(journal.report('m1', reportOf('17'))).toBeUndefined();
});

test('parts of an incoming message are put together, in whatever order and after a kill', () => {
  expect(journal.arrive({ modem: 'm1' }, arrivalOf('b', 2))).toBeUndefined();
  journal.deleted('b');
  const incoming = reopen().arrive({ modem: 'm1' }, arrivalOf('a', 1));
  expect(incoming).toMatchObject({ type: 'incoming', from: '+85261113333', text: 'part 1part 2' });
  expect(reopen().unacknowledged()).toEqual([incoming]);
});

test('an incoming message names the SIM that it came to, and has no parts of the SIM before', () => {
  expect(journal.arrive({ modem: 'm1', imsi: '454001' }, arrivalOf('a', 1))).toBeUndefined();
  expect(journal.arrive({ modem: 'm1', imsi: '454002' }, arrivalOf('b', 2))).toBeUndefined();
  expect(reopen().arrive({ modem: 'm1', imsi: '454001' }, arrivalOf('c', 2))).toMatchObject({
    modem: 'm1',
    imsi: '454001',
    text: 'part 1part 2',
  });
});

test('an arrival that was noted and not yet deleted is not told twice, before and after it is acknowledged', () => {
  const incoming = journal.arrive({ modem: 'm1' }, arrivalOf('a'));
  expect(reopen().arrive({ modem: 'm1' }, arrivalOf('a'))).toBeUndefined();
  journal.acknowledge({ results: [], receipts: [], incoming: [incoming?.id ?? ''] });
  expect(reopen().arrive({ modem: 'm1' }, arrivalOf('a'))).toBeUndefined();
  journal.deleted('a');
  expect(reopen().arrive({ modem: 'm1' }, arrivalOf('a'))).toBeDefined();
});

test.each([
  ['of one part', [arrivalOf('a')], 'part '],
  ['of two parts', [arrivalOf('a', 1), arrivalOf('b', 2)], 'part 1part 2'],
])('a message %s that was noted when the agent ended is told once by the next', (_, arrivals, text) => {
  for (const arrival of arrivals) journal.arrive({ modem: 'm1' }, arrival);
  const lines = readFileSync(path(), 'utf8').trimEnd().split('\n');
  expect(lines.at(-1)).toContain('"kind":"incoming"');
  writeFileSync(path(), `${lines.slice(0, -1).join('\n')}\n`);
  const told = reopen().unacknowledged();
  expect(told).toMatchObject([{ type: 'incoming', text }]);
  for (const arrival of arrivals) expect(journal.arrive({ modem: 'm1' }, arrival)).toBeUndefined();
  for (const { key } of arrivals) journal.deleted(key);
  expect(reopen().unacknowledged()).toEqual(told);
});

test('parts that never come leave a gap after a day', () => {
  journal.arrive({ modem: 'm1' }, arrivalOf('a', 2, 3));
  expect(journal.sweep(time + DAY_MS / 2)).toEqual([]);
  expect(journal.sweep(time + DAY_MS + 1)).toMatchObject([{ text: '…part 2…' }]);
  expect(journal.sweep(time + DAY_MS + 1)).toEqual([]);
});

test('nothing that was noted is missing when the file is written anew', () => {
  journal.close();
  journal = open(1_000);
  for (let at = 1; at <= 20; at++) {
    journal.take(sendOf(at));
    const copy = openAgentJournal({ path: copyOf(path()), now: () => time });
    expect(copy.find(idOf(at))).toBeDefined();
    copy.close();
  }
});

test('a long journal is written anew with what is still open', () => {
  journal.close();
  journal = open(4_000);
  journal.take(sendOf(0));
  for (let at = 1; at <= 200; at++) {
    journal.take(sendOf(at, { receipt: false }));
    journal.begin(idOf(at));
    journal.finish(sendOf(at, { receipt: false }), sent(['1']));
    journal.acknowledge({ results: [idOf(at)], receipts: [], incoming: [] });
    journal.sweep(time + DAY_MS);
  }
  expect(statSync(path()).size).toBeLessThan(6_000);
  expect(
    reopen()
      .handOvers()
      .map(({ send }) => send.id),
  ).toEqual([idOf(0)]);
});

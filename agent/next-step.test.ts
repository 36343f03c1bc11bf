import { expect, test } from 'vitest';
import type { AgentSend, HandOverId, HandOverResult } from '../contract/fleet/agent-protocol.ts';
import { answerTo, dueAgain, pausesOf, withoutModem } from './next-step.ts';

const send: AgentSend = {
  type: 'send',
  id: '11111111-0000-0000-0000-000000000000.1' as HandOverId,
  modem: 'm1',
  recipient: '+85251234567',
  text: 'Hello',
  validityMinutes: 60,
  receipt: true,
  until: '2026-11-19T10:00:00Z',
};
const result: HandOverResult = {
  type: 'result',
  id: send.id,
  modem: 'm1',
  outcome: 'sent',
  references: ['7'],
  code: '',
  reason: '',
  retryable: false,
  at: '2026-11-19T09:59:00Z',
};

const NOW = 100_000;
test.each([
  { what: 'all of a new connection', said: {}, olderThanMs: 0, due: ['a', 'b', 'c'] },
  {
    what: 'the oldest first',
    said: { a: 80_000, b: 60_000, c: 70_000 },
    olderThanMs: 10_000,
    due: ['b', 'c', 'a'],
  },
  {
    what: 'not what was said lately',
    said: { a: 90_001, b: 90_000, c: 99_999 },
    olderThanMs: 10_000,
    due: ['b'],
  },
  {
    what: 'what was never said before the rest',
    said: { a: 85_000, b: 95_000 },
    olderThanMs: 10_000,
    due: ['c', 'a'],
  },
])('said again is $what', ({ said, olderThanMs, due }) => {
  const saidAt = new Map(Object.entries(said));
  const frames = ['a', 'b', 'c'].map((id) => ({ id }));
  expect(dueAgain(frames, { saidAt, now: NOW, olderThanMs }).map(({ id }) => id)).toEqual(due);
});

test('one round says no more than the server can hold', () => {
  const frames = Array.from({ length: 1_500 }, (_, at) => ({ id: String(at) }));
  expect(dueAgain(frames, { saidAt: new Map(), now: NOW, olderThanMs: 0 })).toHaveLength(1_000);
});

test.each([
  { what: 'is new', known: undefined, answer: undefined },
  {
    what: 'was taken',
    known: { send, begun: true, result: undefined, stored: false },
    answer: { type: 'taken', id: send.id },
  },
  { what: 'has its result', known: { send, begun: true, result, stored: true }, answer: result },
] as const)('a hand-over that $what is answered with $answer.type', ({ known, answer }) => {
  expect(answerTo(send, known)).toEqual(answer);
});

test.each([
  { begun: false, outcome: 'refused', retryable: true },
  { begun: true, outcome: 'unknown', retryable: false },
])('without its modem a hand-over is $outcome, begun: $begun', ({ begun, ...outcome }) => {
  expect(withoutModem(send, begun)).toMatchObject({ ...outcome, code: 'NO_MODEM', parts: 1 });
});

test.each([
  { settings: { heartbeatSeconds: 30 }, pauses: { heartbeatMs: 30_000, balanceMs: 21_600_000 } },
  {
    settings: { heartbeatSeconds: 1, balanceEveryMinutes: 5 },
    pauses: { heartbeatMs: 1_000, balanceMs: 300_000 },
  },
])('it beats and asks by $settings', ({ settings, pauses }) => {
  expect(pausesOf(settings)).toEqual(pauses);
});

import { expect, test } from 'vitest';
import type { AgentFrame, HandOverId } from '../../../contract/fleet/agent-protocol.ts';
import type { AgentId } from '../../../contract/fleet/agents.ts';
import { giveDue, isSilent, readFrame, stepFor, TAKEN } from './connection-steps.ts';

const idOf = (digit: string) => `${digit.repeat(8)}-0000-0000-0000-000000000000.1` as HandOverId;
const hello: AgentFrame = {
  type: 'hello',
  protocol: 1,
  agentId: 'a5a5a5a5-0000-4000-8000-000000000000',
  secret: 's'.repeat(43),
  name: 'shelf',
  version: '1',
  modems: [],
  holds: [],
};
const heartbeat: AgentFrame = { type: 'heartbeat', modems: [] };
const taken: AgentFrame = { type: 'taken', id: idOf('1') };
const receipt: AgentFrame = {
  type: 'receipt',
  id: 'receipt-1',
  modem: 'a',
  handOverId: idOf('1'),
  state: 'delivered',
  code: '',
  at: '2026-11-19T10:00:00Z',
};

test.each([
  { mode: 'silent', frame: hello, step: { step: 'greet', hello } },
  { mode: 'silent', frame: heartbeat, step: { step: 'end' } },
  { mode: 'silent', frame: receipt, step: { step: 'end' } },
  { mode: 'greeting', frame: hello, step: { step: 'end' } },
  { mode: 'greeting', frame: taken, step: { step: 'end' } },
  { mode: 'open', frame: hello, step: { step: 'end' } },
  { mode: 'open', frame: taken, step: { step: 'taken', id: taken.id } },
  { mode: 'open', frame: heartbeat, step: { step: 'store', frame: heartbeat } },
  { mode: 'open', frame: receipt, step: { step: 'store', frame: receipt } },
] as const)('a connection that is $mode makes of a $frame.type: $step.step', ({ mode, frame, step }) => {
  expect(stepFor(mode, frame)).toEqual(step);
});

test.each([
  { text: '{', read: { fault: 'It is not JSON.' } },
  { text: JSON.stringify({ type: 'taken', id: 'x' }), read: { fault: expect.stringMatching(/^id: /) } },
  { text: JSON.stringify({ ...receipt, code: 'a\0b' }), read: { frame: { ...receipt, code: 'a\uFFFDb' } } },
  { text: JSON.stringify({ ...hello, name: 'a\0b' }), read: { fault: 'name: a control character' } },
])('$text is read as $read', ({ text, read }) => {
  expect(readFrame(text)).toEqual(read);
});

const NOW = 1_000_000;
const [one, two] = ['1', '2'].map((digit) => ({
  id: idOf(digit),
  agentId: 'a5a5a5a5-0000-4000-8000-000000000000' as AgentId,
  modem: 'a',
  recipient: '+85251234567',
  text: 'hi',
  until: new Date(NOW + 60_000),
}));
if (!one || !two) throw new Error('two hand-overs');

test.each([
  { what: 'is new', before: [], says: true, after: NOW + 10_000 },
  { what: 'was said a moment ago', before: [[one.id, NOW + 1]], says: false, after: NOW + 1 },
  { what: 'was said and not taken in time', before: [[one.id, NOW]], says: true, after: NOW + 10_000 },
  { what: 'is on its disk', before: [[one.id, TAKEN]], says: false, after: TAKEN },
  { what: 'is new, beside one that is over', before: [[two.id, TAKEN]], says: true, after: NOW + 10_000 },
] as { what: string; before: [HandOverId, number][]; says: boolean; after: number }[])(
  'a hand-over that $what is said: $says',
  ({ before, says, after }) => {
    const { given, sends } = giveDue(new Map(before), [one], NOW);
    expect([...given]).toEqual([[one.id, after]]);
    expect(sends.map(({ id }) => id)).toEqual(says ? [one.id] : []);
  },
);

test('who was silent for longer than the protocol allows is cut', () => {
  expect(isSilent(NOW - 30_000, NOW)).toBe(false);
  expect(isSilent(NOW - 30_001, NOW)).toBe(true);
});

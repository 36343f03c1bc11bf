import { expect, it } from 'vitest';
import type { Claim, Claimed } from '../../outbox/index.ts';
import { addClaimed, countUrgent, splitLate } from './ready-messages.ts';

const NOW = 10_000;
const claimOf = (id: number): Claim => ({ id: BigInt(id), at: '', open: 1 });
const [FIRST, SECOND] = [claimOf(1), claimOf(2)] as const;
const message = (id: string, priority: number, claim = FIRST) => ({ id, priority, claim }) as Claimed;
const ids = (messages: Claimed[]): string => messages.map(({ id }) => id).join('');

it.each([
  ['others follow what is ready', [message('a', 1)], [message('b', 1)], 'ab', 0],
  ['a single overtakes others', [message('a', 1), message('b', 1)], [message('c', 0)], 'cab', 1],
  ['a single follows singles', [message('a', 0), message('b', 1)], [message('c', 0)], 'acb', 2],
  ['nothing is ready', [], [message('a', 0)], 'a', 1],
  ['nothing was claimed', [message('a', 1)], [], 'a', 0],
])('%s', (_, messages, claimed, order, urgent) => {
  const ready = addClaimed({ messages, came: [] }, claimed, NOW);
  expect(ids(ready.messages)).toBe(order);
  expect(countUrgent(ready.messages)).toBe(urgent);
  expect(ready.came).toEqual(claimed.map(({ claim }) => ({ claim, at: NOW })));
});

const MESSAGES = [message('a', 1), message('b', 1), message('c', 1, SECOND), message('d', 1, SECOND)];
const FREE = Number.POSITIVE_INFINITY;

it.each([
  ['all may go', { room: FREE, freeAt: NOW, first: NOW }, '', '', 'abcd'],
  ['the throttle lets out two: the last ones go back', { room: 2, freeAt: NOW, first: NOW }, 'cd', '', 'ab'],
  [
    'it lets out none for longer than messages are kept',
    { room: 0, freeAt: NOW + 4_001, first: NOW },
    'abcd',
    '',
    '',
  ],
  ['it lets out none for a moment', { room: 0, freeAt: NOW + 4_000, first: NOW }, '', '', 'abcd'],
  ['a claim is too old', { room: FREE, freeAt: NOW, first: NOW - 4_000 }, '', 'ab', 'cd'],
  ['a claim is too old, and the throttle lets out three', { room: 3, freeAt: NOW, first: 0 }, 'd', 'ab', 'c'],
])('%s', (_, { room, freeAt, first }, throttled, old, left) => {
  const came = [
    { claim: FIRST, at: first },
    { claim: SECOND, at: NOW },
  ];
  const throttle = { room: () => room, freeAt: () => freeAt };
  const split = splitLate({ messages: MESSAGES, came }, { now: NOW, throttle, putBackMs: 4_000 });
  expect([split.throttled, split.old, split.ready.messages].map(ids)).toEqual([throttled, old, left]);
  expect(split.ready.came).toEqual(first === NOW ? came : came.slice(1));
});

it('with nothing ready no claim is remembered', () => {
  const throttle = { room: () => 0, freeAt: () => FREE };
  const empty = { messages: [], came: [{ claim: FIRST, at: 0 }] };
  expect(splitLate(empty, { now: NOW, throttle, putBackMs: 4_000 }).ready.came).toEqual([]);
});

import { expect, test } from 'vitest';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import type { DueEvent } from '../events/due-event.ts';
import { openEventQueue } from './event-queue.ts';

const event = (id: string, message: string, failedCall: string | null = null) =>
  ({ id: id as EventId, messageId: message as MessageId, failedCall }) as DueEvent;
const idsOf = (events: DueEvent[]) => events.map(({ id }) => id);
const queueOf = (events: DueEvent[]) => {
  const queue = openEventQueue();
  for (const one of events) queue.add(one);
  return queue;
};

test('an event stands behind the one before it of the same message', () => {
  const queue = queueOf([event('a1', 'a'), event('a2', 'a'), event('b1', 'b')]);
  const [a1] = queue.take(1) as [DueEvent];
  expect(a1.id).toBe('a1');
  expect(idsOf(queue.take(1))).toEqual(['b1']);
  expect(queue.readySize()).toBe(0);
  queue.settled(a1);
  expect(idsOf(queue.take(1))).toEqual(['a2']);
});

test('one call has several events of a message, and the next ones wait for all of them', () => {
  const queue = queueOf([event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('a3', 'a')]);
  const call = queue.take(3);
  expect(idsOf(call)).toEqual(['a1', 'b1', 'a2']);
  queue.settled(call[0] as DueEvent);
  expect(queue.readySize()).toBe(0);
  queue.settled(call[2] as DueEvent);
  expect(idsOf(queue.take(9))).toEqual(['a3']);
});

test('those behind an event that is tried again later are handed back', () => {
  const queue = queueOf([event('a1', 'a'), event('a2', 'a'), event('a3', 'a')]);
  const [a1] = queue.take(1) as [DueEvent];
  expect(idsOf(queue.putOff(a1))).toEqual(['a2', 'a3']);
  queue.add(event('a4', 'a'));
  expect(idsOf(queue.take(9))).toEqual(['a4']);
});

test('the events of a failed call are sent again together, and nothing with them', () => {
  const queue = queueOf([
    event('a1', 'a', 'first'),
    event('b1', 'b', 'first'),
    event('a2', 'a', 'first'),
    event('c1', 'c', 'second'),
    event('b2', 'b'),
    event('d1', 'd'),
  ]);
  expect(idsOf(queue.take(9))).toEqual(['a1', 'b1', 'a2']);
  expect(idsOf(queue.take(9))).toEqual(['c1']);
  expect(idsOf(queue.take(9))).toEqual(['d1']);
});

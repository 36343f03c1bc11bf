import { expect, it } from 'vitest';
import type { Claimed } from '../../outbox/index.ts';
import { claimSize, isLow, type Load, urgentRoom } from './claim-room.ts';

const ready = (urgent: number, others: number): Claimed[] =>
  [...Array(urgent).fill(0), ...Array(others).fill(1)].map((priority) => ({ priority }) as Claimed);
/** A lane that claims at most 20 messages, 10 at once, and of singles at most 30. */
const LOAD: Load = {
  pace: { claimSize: () => 10, mostClaimed: () => 20, mostUrgent: () => 30 },
  ready: [],
  window: 30,
  busyLanes: 1,
  throttleRoom: Number.POSITIVE_INFINITY,
};

it.each<[string, Partial<Load>, size: number, low: boolean, urgent: number]>([
  ['nothing is ready', {}, 10, true, 30],
  ['a second claim fits', { ready: ready(0, 10) }, 10, true, 30],
  ['it does not fit any more', { ready: ready(0, 11) }, 10, false, 30],
  ['singles count against singles', { ready: ready(12, 3) }, 10, false, 18],
  ['the throttle lets out a few more', { ready: ready(2, 3), throttleRoom: 9 }, 4, true, 7],
  ['the throttle lets out no more than are ready', { ready: ready(2, 3), throttleRoom: 5 }, 0, false, 3],
  ['the throttle lets out nothing', { throttleRoom: 0 }, 0, false, 0],
])('%s', (_, facts, size, low, urgent) => {
  const load = { ...LOAD, ...facts };
  expect([claimSize(load), isLow(load), urgentRoom(load)]).toEqual([size, low, urgent]);
});

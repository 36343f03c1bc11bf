import { expect, it } from 'vitest';
import type { ServableLane } from '../lanes/index.ts';
import { fateOf, noteFree, planLanes } from './plan-lanes.ts';

const ME = 'me';
const NOW = 100_000;

const lane = (id: number, facts: Partial<ServableLane> = {}): ServableLane => ({
  id,
  name: `lane-${id}`,
  channel: 'sms',
  provider: 'test',
  simulated: false,
  source: 'settings',
  phoneId: null,
  revision: 1,
  holderId: null,
  workers: 1,
  throttle: { tenMinutes: null, oneHour: null, eightHours: null, oneDay: null },
  ...facts,
});

const plan = (situation: Partial<Parameters<typeof planLanes>[0]>) =>
  planLanes({
    workerId: ME,
    lanes: [],
    held: new Map(),
    freeSince: new Map(),
    retryAt: new Map(),
    now: NOW,
    orphanMs: 1_000,
    leastHoldMs: 5_000,
    ...situation,
  });

const NOTHING = { take: [], stop: [], handOver: [] };

it('a worker that is alone takes every free lane', () => {
  expect(plan({ lanes: [lane(1), lane(2), lane(3, { holderId: 'other' })] })).toEqual({
    ...NOTHING,
    take: [1, 2],
  });
});

it('of lanes that two workers can reach, one takes half at first, and the rest if nobody else takes it', () => {
  const lanes = [1, 2, 3, 4].map((id) => lane(id, { workers: 2 }));
  expect(plan({ lanes }).take).toEqual([1, 2]);
  const freeSince = new Map([4, 3].map((id) => [id, NOW - 2_000]));
  const held = new Map([1, 2].map((id) => [id, { revision: 1, since: NOW }]));
  expect(plan({ lanes, held, freeSince }).take).toEqual([3, 4]);
});

it('what only this worker can reach is taken besides its share', () => {
  const lanes = [lane(1), lane(2, { workers: 2 }), lane(3, { workers: 2 })];
  expect(plan({ lanes }).take).toEqual([1, 2]);
});

it('a lane that failed is left alone until its time', () => {
  const retryAt = new Map([[1, NOW + 1]]);
  expect(plan({ lanes: [lane(1)], retryAt })).toEqual(NOTHING);
  expect(plan({ lanes: [lane(1)], retryAt, now: NOW + 1 }).take).toEqual([1]);
});

it('a lane that was paused, removed or changed is stopped', () => {
  const held = new Map([1, 2, 3].map((id) => [id, { revision: 1, since: 0 }]));
  const lanes = [lane(1, { holderId: ME }), lane(2, { holderId: ME, revision: 2 })];
  expect(plan({ lanes, held }).stop).toEqual([2, 3]);
});

it('a worker that joins gets its share, but not of lanes that it can not reach or that were just taken', () => {
  const since = new Map([
    [1, 0],
    [2, 0],
    [3, NOW - 1],
    [4, 0],
  ]);
  const held = new Map([...since].map(([id, at]) => [id, { revision: 1, since: at }]));
  const lanes = [lane(1, { holderId: ME }), ...[2, 3, 4].map((id) => lane(id, { holderId: ME, workers: 2 }))];
  expect(plan({ lanes, held })).toEqual({ ...NOTHING, handOver: [2] });
});

it('a lane is free since it was first seen without a holder, until somebody has it', () => {
  const lanes = [lane(1), lane(2), lane(3, { holderId: 'other' }), lane(4)];
  const before = new Map([1, 3, 4, 5].map((id) => [id, NOW - 7]));
  expect(noteFree(before, { lanes, held: new Set([4]), now: NOW })).toEqual(
    new Map([
      [1, NOW - 7],
      [2, NOW],
      // Not seen this time.
      [5, NOW - 7],
    ]),
  );
});

it.each<[string, since: number, holder: string | undefined, lapsed: boolean, ReturnType<typeof fateOf>]>([
  ['a lane that we still have is kept', NOW - 5, 'mine', false, 'kept'],
  ['after a lapse its state is stored again', NOW - 5, 'mine', true, 'to be stated again'],
  ['a lane that another has is lost', NOW - 5, 'another', true, 'lost'],
  ['a lane that nobody has is lost', NOW - 5, undefined, false, 'lost'],
  ['what was taken after the question is kept', NOW, undefined, false, 'kept'],
])('%s', (_, since, holder, lapsed, fate) => {
  expect(fateOf({ since, holder: 'mine' }, { asked: NOW, lapsed, holder })).toBe(fate);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openThrottle, THROTTLE_MINUTES, THROTTLE_WINDOWS, type ThrottleLimits } from './throttle.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 16);
const NONE: ThrottleLimits = { tenMinutes: null, oneHour: null, eightHours: null, oneDay: null };

interface Send {
  atMs: number;
  count: number;
}

const limit = fc.option(fc.nat({ max: 60 }), { freq: 2 });
const limits: fc.Arbitrary<ThrottleLimits> = fc.record({
  tenMinutes: limit,
  oneHour: limit,
  eightHours: limit,
  oneDay: limit,
});
/** Steps from a moment to some hours, so that every window both fills and empties. */
const step = fc.record({
  waitMs: fc.oneof(
    fc.nat({ max: 2_000 }),
    fc.nat({ max: 12 * MINUTE_MS }),
    fc.nat({ max: 10 * 60 * MINUTE_MS }),
  ),
  wanted: fc.nat({ max: 30 }),
});
const past = fc.array(
  fc.record({
    atMs: fc.integer({ min: START_MS - 1_500 * MINUTE_MS, max: START_MS - 1 }),
    count: fc.nat({ max: 5 }),
  }),
  { maxLength: 20 },
);

const minuteOf = (atMs: number): number => Math.floor(atMs / MINUTE_MS) * MINUTE_MS;

/** What is left in every window if each send happened at the end of its minute. */
const roomBySearch = (given: ThrottleLimits, sends: Send[], nowMs: number): number =>
  Math.min(
    ...THROTTLE_WINDOWS.map((name) => {
      const sinceMs = nowMs - THROTTLE_MINUTES[name] * MINUTE_MS;
      const counted = sends.filter(({ atMs }) => minuteOf(atMs) + MINUTE_MS > sinceMs);
      const most = given[name] ?? Number.POSITIVE_INFINITY;
      return Math.max(0, most - counted.reduce((sum, { count }) => sum + count, 0));
    }),
  );

/** The most that any closed window has that ends with a send of ours. */
const expectWithin = (given: ThrottleLimits, sends: Send[]): void => {
  for (const name of THROTTLE_WINDOWS)
    for (const { atMs: endMs, count: own } of sends) {
      if (endMs < START_MS || own === 0) continue;
      const inside = sends.filter(
        ({ atMs }) => atMs <= endMs && atMs >= endMs - THROTTLE_MINUTES[name] * MINUTE_MS,
      );
      const sum = inside.reduce((total, { count }) => total + count, 0);
      expect(sum).toBeLessThanOrEqual(given[name] ?? Number.POSITIVE_INFINITY);
    }
};

test('a lane that sends all that it may never exceeds a window, and is never held back longer than it must', () => {
  fc.assert(
    fc.property(limits, past, fc.array(step, { maxLength: 60 }), (given, before, steps) => {
      const throttle = openThrottle({
        limits: given,
        sends: before.map(({ atMs, count }) => ({ minute: new Date(minuteOf(atMs)), sent: count })),
      });
      const sends = [...before];
      let nowMs = START_MS;
      for (const { waitMs, wanted } of steps) {
        nowMs += waitMs;
        const room = throttle.room(nowMs);
        expect(room).toBe(roomBySearch(given, sends, nowMs));
        const count = Math.min(room, wanted);
        throttle.note(nowMs, count);
        sends.push({ atMs: nowMs, count });
      }
      expectWithin(given, sends);
    }),
    { numRuns: 300 },
  );
});

test('the moment with room again is the first one', () => {
  fc.assert(
    fc.property(limits, past, (given, before) => {
      const sends = before.map(({ atMs, count }) => ({ minute: minuteOf(atMs), sent: count }));
      const throttle = openThrottle({ limits: given, sends });
      const freeMs = throttle.freeAt(START_MS);
      const isClosed = Object.values(given).includes(0);
      expect(freeMs === Number.POSITIVE_INFINITY).toBe(isClosed);
      expect(roomBySearch(given, before, freeMs) > 0).toBe(!isClosed);
      if (freeMs > START_MS) expect(roomBySearch(given, before, freeMs - 1)).toBe(0);
      const sent = throttle.sent(START_MS);
      const isFull = THROTTLE_WINDOWS.some((name) => sent[name] >= (given[name] ?? Number.POSITIVE_INFINITY));
      expect(isFull).toBe(freeMs > START_MS);
    }),
    { numRuns: 300 },
  );
});

test('without limits there is room for everything, at once', () => {
  const throttle = openThrottle({ limits: NONE });
  throttle.note(START_MS, 1_000_000);
  expect(throttle.room(START_MS)).toBe(Number.POSITIVE_INFINITY);
  expect(throttle.freeAt(START_MS)).toBe(START_MS);
});

test('a clock that is set back gives no second ration', () => {
  const throttle = openThrottle({ limits: { ...NONE, tenMinutes: 3 } });
  throttle.note(START_MS, 3);
  expect(throttle.room(START_MS + 11 * MINUTE_MS)).toBe(3);
  throttle.note(START_MS + 11 * MINUTE_MS, 3);
  expect(throttle.room(START_MS + 5 * MINUTE_MS)).toBe(0);
  throttle.note(START_MS, 0);
  expect(throttle.room(START_MS + 21 * MINUTE_MS)).toBe(0);
  expect(throttle.room(START_MS + 22 * MINUTE_MS)).toBe(3);
});

test('what is noted a little late counts from its own minute; much later, from a recent one', () => {
  const throttle = openThrottle({ limits: { ...NONE, tenMinutes: 3 } });
  expect(throttle.room(START_MS + 3 * MINUTE_MS)).toBe(3);
  throttle.note(START_MS, 3);
  expect(throttle.freeAt(START_MS + 3 * MINUTE_MS)).toBe(START_MS + 11 * MINUTE_MS);
  expect(throttle.room(START_MS + 60 * MINUTE_MS)).toBe(3);
  throttle.note(START_MS, 3);
  expect(throttle.room(START_MS)).toBe(0);
  expect(throttle.freeAt(START_MS)).toBe(START_MS + 66 * MINUTE_MS);
});

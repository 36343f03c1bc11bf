import { describe, expect, test } from 'vitest';
import { STATUS } from '../codec/statuses.ts';
import { nextAttempt } from '../next-attempt.ts';
import { isLastTry, repeatPauseMs } from '../repeats.ts';
import { MAX_DELIVERING, refusalStatus } from './deliveries.ts';
import { lookEveryMs, nackedRequest, nextPulse } from './session-steps.ts';

const TIMES = { timeoutMs: 500, enquireLinkMs: 800 };

describe('a look at the pulse', () => {
  const quiet = { heard: false, heardAt: 1_000, askedAt: undefined };
  const heard = { ...quiet, heard: true };
  const asked = { ...quiet, askedAt: 2_000 };
  test.each([
    ['connecting', quiet, 1_499, 'wait', quiet],
    ['connecting', quiet, 1_500, 'bind is late', quiet],
    ['binding', heard, 1_499, 'wait', heard],
    ['binding', heard, 1_500, 'bind is late', heard],
    ['bound', quiet, 1_799, 'wait', quiet],
    ['bound', quiet, 1_800, 'ask', { ...quiet, askedAt: 1_800 }],
    ['bound', heard, 1_800, 'wait', { ...quiet, heardAt: 1_800 }],
    ['bound', asked, 2_499, 'wait', asked],
    ['bound', asked, 2_500, 'is silent', asked],
    ['bound', { ...asked, heard: true }, 2_500, 'wait', { ...quiet, heardAt: 2_500 }],
    ['unbinding', asked, 2_500, 'is silent', asked],
  ] as const)('%s, %j, at %d: %s', (mode, pulse, now, next, after) => {
    expect(nextPulse(mode, pulse, now, TIMES)).toEqual({ next, pulse: after });
  });

  test('comes eight times within the shortest time, and not without a pause', () => {
    expect(lookEveryMs(TIMES)).toBe(62.5);
    expect(lookEveryMs({ ...TIMES, timeoutMs: 8 })).toBe(10);
  });
});

test.each([
  ['binding', 1, false, 'bind'],
  ['binding', 0, false, 'bind'],
  ['binding', 2, false, 'submit'],
  ['bound', 1, false, 'submit'],
  ['bound', 0, false, 'submit'],
  ['bound', 7, true, 'query'],
  ['unbinding', 7, true, 'query'],
] as const)('%s, a generic_nack of %d, a query %s: it refuses the %s', (mode, number, isQuery, request) => {
  expect(nackedRequest(mode, number, { bindSequence: 1, isQuery })).toBe(request);
});

test('what comes in is refused when it is cut off, too early, or too much', () => {
  const message = {} as Parameters<typeof refusalStatus>[0];
  expect(refusalStatus(undefined, 'bound', 0)).toBe(STATUS.invalidLength);
  expect(refusalStatus(message, 'binding', 0)).toBe(STATUS.invalidBindState);
  expect(refusalStatus(message, 'bound', MAX_DELIVERING)).toBe(STATUS.temporaryError);
  expect(refusalStatus(message, 'bound', MAX_DELIVERING - 1)).toBeUndefined();
  expect(refusalStatus(message, 'unbinding', 0)).toBeUndefined();
});

test.each([
  [
    { failures: 0, stoodMs: 0 },
    { failures: 1, waitMs: 100 },
  ],
  [
    { failures: 2, stoodMs: 0 },
    { failures: 3, waitMs: 400 },
  ],
  [
    { failures: 9, stoodMs: 1_000 },
    { failures: 10, waitMs: 1_000 },
  ],
  [
    { failures: 9, stoodMs: 1_001 },
    { failures: 1, waitMs: 100 },
  ],
])('after %j the next attempt is %j', (ended, next) => {
  expect(nextAttempt(ended, { firstMs: 100, maxMs: 1_000 }, 1)).toEqual(next);
  expect(nextAttempt(ended, { firstMs: 100, maxMs: 1_000 }, 0).waitMs).toBe(next.waitMs / 2);
});

test.each([
  [0, 25, 75, false],
  [1, 50, 150, false],
  [6, 1_600, 4_800, false],
  [7, 3_200, 9_600, true],
])('after try %d the pause is %d to %d ms, the last one %s', (repeat, least, most, isLast) => {
  expect([repeatPauseMs(repeat, 0), repeatPauseMs(repeat, 1), isLastTry(repeat)]).toEqual([
    least,
    most,
    isLast,
  ]);
});

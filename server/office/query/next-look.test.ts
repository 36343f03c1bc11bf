import { expect, test } from 'vitest';
import { againAfter, lingersAs, pollAfter, quietFor } from './next-look.ts';
import type { ReadOutcome } from './reader.ts';

test.each([
  { former: undefined, left: 1_000, pauseMs: 20 },
  { former: 20, left: 1_000, pauseMs: 40 },
  { former: 4_000, left: Number.POSITIVE_INFINITY, pauseMs: 5_000 },
  { former: 5_000, left: Number.POSITIVE_INFINITY, pauseMs: 5_000 },
  // What was cut short is the last: no more time is left after it.
  { former: 320, left: 100, pauseMs: 100 },
])(
  'whether a statement is gone is asked after $pauseMs ms, $former ms before, $left ms left',
  ({ former, left, pauseMs }) => {
    expect(pollAfter(former, left)).toBe(pauseMs);
  },
);

test.each([
  { kind: 'cancelled', as: 'cancelled' },
  { kind: 'timed_out', as: 'timed_out' },
  { kind: 'failed', message: 'gone', position: undefined, as: 'failed' },
] as const)('a statement that goes on after $kind has $as in the end', ({ as, ...outcome }) => {
  expect(lingersAs(outcome)).toBe(as);
});

const lost: ReadOutcome = { kind: 'failed', message: 'gone', position: undefined, lost: true };
test.each<{
  what: string;
  outcome: ReadOutcome;
  runs: number;
  elapsedMs: number;
  pauseMs: number | undefined;
}>([
  { what: 'it was cancelled', outcome: { kind: 'cancelled' }, runs: 1, elapsedMs: 0, pauseMs: undefined },
  { what: 'its own fault', outcome: { ...lost, lost: false }, runs: 1, elapsedMs: 0, pauseMs: undefined },
  { what: 'ended with its server', outcome: lost, runs: 1, elapsedMs: 9, pauseMs: 0 },
  { what: 'the same, out of its time', outcome: lost, runs: 1, elapsedMs: 99, pauseMs: 0 },
  { what: 'once more', outcome: lost, runs: 2, elapsedMs: 9, pauseMs: 20 },
  { what: 'once more, out of its time', outcome: lost, runs: 2, elapsedMs: 10, pauseMs: undefined },
])('run again after $pauseMs ms: $what', ({ outcome, runs, elapsedMs, pauseMs }) => {
  expect(againAfter(outcome, { runs, elapsedMs, timeoutMs: 10 })).toBe(pauseMs);
});

test.each([
  { what: 'it is known that its end was told', since: new Date(900), pauseMs: 0 },
  { what: 'another service may live', since: null, pauseMs: 400 },
])('what was left is told of after $pauseMs ms if $what', ({ since, pauseMs }) => {
  const left = { lingeringSince: since, createdAt: new Date(500) };
  expect(quietFor(left, { aliveMs: 900, now: 1_000 })).toBe(pauseMs);
  expect(quietFor(left, { aliveMs: 900, now: 5_000 })).toBe(0);
});

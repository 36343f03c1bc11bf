import { expect, test } from 'vitest';
import { testLane } from './testing/test-lane.ts';
import { type Decided, settle, takeTurn } from './turns.ts';

interface Given {
  weight: number;
  credit?: number;
  left?: number;
  volumeLeft?: number;
  beyond?: boolean;
}
const decided = (given: Given[], { waits = false, pendingCredit = 0 } = {}): Decided => {
  const turns = given.map(
    ({ weight, credit = 0, left = 9, volumeLeft = Number.POSITIVE_INFINITY, beyond = false }, at) => ({
      lane: testLane({ id: at + 1 }),
      why: 'SPREAD' as const,
      unitCostMicros: 0n,
      weight,
      tally: { chosen: 0, left, probedMs: 0, credit, volumeLeft, recipientsLeft: 9 },
      beyond,
    }),
  );
  const total = given.reduce((sum, { weight }) => sum + weight, 0);
  const members = new Set(turns.map(({ lane }) => lane));
  return { turns, score: 0, phonesMatter: false, waits, carrier: '', pendingCredit, total, members };
};
const ids = (all: Decided, rounds: number, how = { earn: true }) =>
  Array.from({ length: rounds }, () => takeTurn(all, how)?.lane.id ?? null);
const credits = ({ turns }: Decided) => turns.map(({ tally }) => tally.credit);

test.each<[string, Decided, (number | null)[]]>([
  ['by weight, evenly spread', decided([{ weight: 1 }, { weight: 2 }]), [2, 1, 2, 2, 1, 2]],
  ['what is owed comes first', decided([{ weight: 1 }, { weight: 1, credit: 3 }]), [2, 2, 1, 2]],
  ['a full lane has no turn', decided([{ weight: 5, left: 0 }, { weight: 1 }]), [2, 2]],
  ['a phone that has had its ideal volume has no turn', decided([{ weight: 5, volumeLeft: 0 }]), [null]],
  [
    'unless that was so when it was decided',
    decided([{ weight: 5, volumeLeft: 0, beyond: true }, { weight: 1 }]),
    [1, 1],
  ],
  [
    'full lanes share what waits',
    decided(
      [
        { weight: 2, left: 0 },
        { weight: 1, left: 0 },
      ],
      { waits: true },
    ),
    [1, 2, 1],
  ],
  ['nobody is there', decided([]), [null]],
])('%s', (_, all, expected) => {
  expect(ids(all, expected.length)).toEqual(expected);
});

test('a look earns nothing', () => {
  const all = decided([{ weight: 1 }, { weight: 2 }]);
  expect(ids(all, 3, { earn: false })).toEqual([2, 2, 2]);
  expect(credits(all)).toEqual([0, 0]);
});

test('rounds that a recipient’s own phone took are earned later, once', () => {
  const all = decided([{ weight: 1 }, { weight: 2 }], { pendingCredit: 4 });
  settle(all);
  settle(all);
  expect(credits(all)).toEqual([4, 8]);
  expect(all.pendingCredit).toBe(0);
});

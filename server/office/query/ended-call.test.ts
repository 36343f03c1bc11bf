import { expect, test } from 'vitest';
import { failedAnswer, success } from './answer.ts';
import { endedOf, failedIn, listed, recordOf, refusedBy, tablesOf } from './ended-call.ts';
import type { ReadOutcome } from './reader.ts';

const asker = { accountId: undefined, language: 'en_US', hungUp: new AbortController().signal } as const;
const since = new Date('2026-11-19T10:20:30Z');
const count = (rows: string[]) => rows.length;
const lingering: Exclude<ReadOutcome, { kind: 'done' }> = { kind: 'lingering', since, as: 'timed_out' };

test('a call is over unless statements go on; then it is once all of them are gone', async () => {
  const answer = success(1);
  expect(endedOf({ answer }, [])).toEqual({ mode: 'over', answer });
  const two = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const ended = endedOf(
    { answer },
    two.map(({ promise: gone }) => ({ gone })),
  );
  if (ended.mode !== 'lingering') throw new Error(ended.mode);
  let isGone = false;
  void ended.gone.then(() => {
    isGone = true;
  });
  two[0].resolve();
  await Promise.resolve();
  expect(isGone).toBe(false);
  two[1].resolve();
  await ended.gone;
});

test.each([
  {
    what: 'rows',
    worked: { answer: success(['a', 'b']) },
    record: { outcome: 'done', message: '', rowCount: 2 },
  },
  {
    what: 'the database refused',
    worked: {
      answer: failedAnswer(asker, { kind: 'failed', message: 'no such table', position: undefined }, 1_000),
    },
    record: { outcome: 'failed', message: 'no such table' },
  },
  {
    what: 'it still runs, and will have been out of time',
    worked: failedIn(asker, lingering, { begin: 0, timeoutMs: 1_000 }),
    record: { outcome: 'timed_out', message: '' },
  },
  {
    what: 'something of it still runs',
    worked: { answer: failedAnswer(asker, lingering, 1_000) },
    record: { outcome: 'cancelled', message: '' },
  },
  {
    what: 'a fault without a word of its kind',
    worked: { answer: { data: null, msg: 'x', success: false } as const },
    record: { outcome: 'failed', message: 'x' },
  },
] as const)('the record of a call of which $what', ({ worked, record }) => {
  expect(recordOf<string[]>(worked, count)).toEqual(record);
});

test('the place of a fault is one in all that was written', () => {
  const fault = { kind: 'failed', message: 'here', position: 7 } as const;
  expect(failedIn(asker, fault, { begin: 10, timeoutMs: 1_000 }).answer.data).toMatchObject({ position: 17 });
  const verdict = { kind: 'refused', reason: 'syntax', detail: 'here', position: 3 } as const;
  expect(refusedBy(asker, verdict).data).toEqual({ outcome: 'refused', position: 3 });
});

test('a list has its rows, or says why not', () => {
  const rows = [
    ['a', 'x', 'int'],
    ['b', 'y', null],
    ['a', 'z', 'text'],
  ];
  const done: ReadOutcome = { kind: 'done', columns: [], rows, truncated: false };
  const { answer } = listed(asker, done, { timeoutMs: 1_000, of: tablesOf });
  expect(answer.data).toEqual([
    {
      name: 'a',
      columns: [
        { name: 'x', type: 'int' },
        { name: 'z', type: 'text' },
      ],
    },
    { name: 'b', columns: [{ name: 'y', type: '' }] },
  ]);
  expect(listed(asker, { kind: 'cancelled' }, { timeoutMs: 1_000, of: tablesOf }).answer.success).toBe(false);
});

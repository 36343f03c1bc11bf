import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openBatcher } from './batcher.ts';
import type { BatcherOptions } from './batcher-options.ts';

const text = { of: (item: string) => item.length, max: 1_000 };

/** Each flush answers its items with a mark, but only when the test ends it; one with a 'bad' item fails. */
const openHeld = (options: Partial<BatcherOptions<string, string>> = {}) => {
  const flushes: string[][] = [];
  const ends: (() => void)[] = [];
  const batcher = openBatcher<string, string>({
    maxItems: 100,
    ...options,
    flush: async (items) => {
      flushes.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.includes('bad')) throw new Error('lost');
      return items.map((item) => `${item}!`);
    },
  });
  const endFlush = async () => {
    ends.shift()?.();
    await nextTurn();
  };
  return { ...batcher, flushes, endFlush };
};

/** Flushes end at once; each of them first runs what the test says, which may throw. */
const openPrompt = (
  options: Partial<BatcherOptions<string>> = {},
  attempt: (items: string[]) => void = () => {},
) => {
  const flushes: string[][] = [];
  const errors: unknown[] = [];
  const batcher = openBatcher<string>({
    maxItems: 100,
    onError: (error) => errors.push(error),
    ...options,
    flush: async (items) => {
      flushes.push(items);
      attempt(items);
    },
  });
  return { ...batcher, flushes, errors };
};

test('the first is flushed at once; what is added meanwhile is flushed together, in its order', async () => {
  const { add, flushes, endFlush } = openHeld();
  const answers = Promise.all(['a', 'b', 'c'].map(add));
  expect(flushes).toEqual([['a']]);
  await endFlush();
  expect(flushes).toEqual([['a'], ['b', 'c']]);
  await endFlush();
  expect(await answers).toEqual(['a!', 'b!', 'c!']);
  void add('d');
  expect(flushes.at(-1)).toEqual(['d']);
});

test('a flush is bounded by number and by size, but one large item still goes', async () => {
  const { add, flushes, endFlush } = openHeld({ maxItems: 2, size: { ...text, max: 10 } });
  for (const item of ['a', 'b', 'c', 'long-long-long', 'd', '12345', '67890', 'e']) void add(item);
  for (let at = 0; at < 8; at++) await endFlush();
  expect(flushes).toEqual([['a'], ['b', 'c'], ['long-long-long'], ['d', '12345'], ['67890', 'e']]);
});

test('a flush that fails fails its own items only', async () => {
  const { add, endFlush } = openHeld();
  const [first, bad, beside] = [add('a'), add('bad'), add('b')];
  const refused = Promise.all([expect(bad).rejects.toThrow('lost'), expect(beside).rejects.toThrow('lost')]);
  await endFlush();
  const next = add('c');
  await endFlush();
  await refused;
  await endFlush();
  expect(await Promise.all([first, next])).toEqual(['a!', 'c!']);
});

test('a flush that failed through no fault of its items is not tried again for each of them', async () => {
  const isItems = (error: unknown) => (error as Error).message !== 'away';
  const { add, flushes } = openPrompt({ splitFailed: isItems }, () => {
    throw new Error('away');
  });
  const added = await Promise.allSettled(['a', 'b', 'c'].map(add));
  expect(added.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(flushes).toEqual([['a'], ['b', 'c']]);
});

test('a flush that throws before it returns a promise fails its items too', async () => {
  const { add } = openBatcher<string>({
    maxItems: 1,
    flush: () => {
      throw undefined;
    },
  });
  await expect(add('a')).rejects.toThrow('the flush failed');
});

test('the next flush is on its way before anybody is answered', async () => {
  const happened: string[] = [];
  const { add } = openBatcher<string, string>({
    maxItems: 100,
    flush: async (items) => {
      for (let step = 0; step < 10; step++) await undefined;
      happened.push(`flushed ${items}`);
      return items;
    },
  });
  await Promise.all(['a', 'b'].map(async (item) => happened.push(`answered ${await add(item)}`)));
  expect(happened).toEqual(['flushed a', 'flushed b', 'answered a', 'answered b']);
});

test('with a delay items wait for others, but a full flush goes at once', async () => {
  const { put, flushes } = openPrompt({ maxItems: 3, maxDelayMs: 60_000 });
  put('a');
  put('b');
  await nextTurn();
  expect(flushes).toEqual([]);
  put('c');
  expect(flushes).toEqual([['a', 'b', 'c']]);
});

test('a flush that is not full goes when the delay is over', async () => {
  const { add, flushes } = openPrompt({ maxDelayMs: 20 });
  const begun = performance.now();
  await Promise.all([add('a'), add('b')]);
  expect(performance.now() - begun).toBeGreaterThan(18);
  expect(flushes).toEqual([['a', 'b']]);
});

test('after a flush, full ones follow at once and the rest waits for the delay again', async () => {
  const { add, flushes, endFlush } = openHeld({ maxItems: 2, maxDelayMs: 20 });
  for (const item of ['a', 'b', 'c', 'd', 'e']) void add(item);
  expect(flushes).toEqual([['a', 'b']]);
  await endFlush();
  expect(flushes).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
  await endFlush();
  expect(flushes).toHaveLength(2);
  await expect.poll(() => flushes.at(-1)).toEqual(['e']);
});

test('a callback gets its item, and the fault of one does not keep the others waiting', async () => {
  const { put, drain, errors } = openPrompt();
  const settled: unknown[] = [];
  put('a', () => {
    throw new Error('a fault');
  });
  put('b', (item, error) => settled.push([item, error]));
  await drain();
  expect(settled).toEqual([['b', undefined]]);
  expect(errors).toEqual([new Error('a fault')]);
});

test('each gets its own answer, also beside items without a callback', async () => {
  const { put, add, endFlush } = openHeld({ maxItems: 3, maxDelayMs: 60_000 });
  put('a');
  const answers = Promise.all([add('b'), add('c')]);
  await endFlush();
  expect(await answers).toEqual(['b!', 'c!']);
});

test('drain does not wait for the delay, and resolves when all are settled, also those added meanwhile', async () => {
  const { put, drain, flushes } = openPrompt({ maxItems: 2, maxDelayMs: 60_000 });
  const settled: string[] = [];
  const note = (item: string) => settled.push(item);
  put('a', (item) => {
    note(item);
    put('late', note);
  });
  for (const item of ['b', 'c']) put(item, note);
  await Promise.all([drain(), drain()]);
  expect(settled).toEqual(['a', 'b', 'c', 'late']);
  await drain();
  put('waits');
  expect(flushes.flat()).not.toContain('waits');
  await drain();
  expect(flushes.at(-1)).toEqual(['waits']);
});

test('what fails for the moment is flushed again until it succeeds, and nothing overtakes it', async () => {
  let failures = 3;
  const away = new Error('away');
  const retry = { isTransient: (error: unknown) => error === away, delayMs: 5 };
  const { add, flushes, errors } = openPrompt({ retry }, () => {
    if (failures-- > 0) throw away;
  });
  await Promise.all([add('a'), add('b')]);
  expect(flushes).toEqual([['a'], ['a'], ['a'], ['a'], ['b']]);
  expect(errors).toEqual([away, away, away]);
});

test('what fails for good is not flushed again', async () => {
  const retry = { isTransient: () => false, delayMs: 5 };
  const { add, flushes } = openPrompt({ retry }, () => {
    throw new Error('for good');
  });
  await expect(add('a')).rejects.toThrow('for good');
  expect(flushes).toEqual([['a']]);
});

test('one that can’t be flushed does not make the others fail, if they are split', async () => {
  const { add, flushes, errors } = openPrompt(
    { maxItems: 3, maxDelayMs: 1, splitFailed: () => true },
    (items) => {
      if (items.includes('bad')) throw new Error('bad');
    },
  );
  const ends = await Promise.allSettled(['a', 'bad', 'b'].map(add));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(flushes).toEqual([['a', 'bad', 'b'], ['a'], ['bad'], ['b']]);
  expect(errors).toEqual([new Error('bad')]);
});

test('of a split flush each is settled after its own try, not after the last', async () => {
  const { add, flushes, endFlush } = openHeld({ maxItems: 2, maxDelayMs: 1, splitFailed: () => true });
  const [first, bad] = [add('a'), add('bad')];
  const refused = expect(bad).rejects.toThrow('lost');
  await endFlush();
  await endFlush();
  expect(await first).toBe('a!');
  expect(flushes.at(-1)).toEqual(['bad']);
  await endFlush();
  await refused;
});

test('once abandoned, each flush is tried once and no more', async () => {
  const retry = { isTransient: () => true, delayMs: 5 };
  const { add, abandon, drain, flushes } = openPrompt({ retry, maxItems: 2, splitFailed: () => true }, () => {
    throw new Error('away');
  });
  const ends = Promise.allSettled(['a', 'b', 'c'].map(add));
  await expect.poll(() => flushes.length).toBeGreaterThan(2);
  abandon();
  const before = flushes.length;
  await drain();
  expect((await ends).every(({ status }) => status === 'rejected')).toBe(true);
  expect(flushes.slice(before)).toEqual([['a'], ['b', 'c']]);
});

test('when too many wait the oldest are dropped, are told so, and are counted', async () => {
  const drops: number[] = [];
  const overflow = { maxWaiting: 4, dropItems: 2, onDrop: (count: number) => drops.push(count) };
  const { add, drain, flushes } = openPrompt({ overflow, maxDelayMs: 60_000 });
  const ends = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map(add));
  await drain();
  expect(flushes).toEqual([['c', 'd', 'e']]);
  expect(drops).toEqual([2]);
  expect((await ends).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});

const MANY = Array.from({ length: 20 }, (_, at) => String(at));
const HALVES = { alternateHalves: true, maxDelayMs: 3 };

test('many callers alternate in halves', async () => {
  const { add, flushes, endFlush } = openHeld(HALVES);
  for (const item of MANY) void add(item);
  for (let at = 0; at < 3; at++) await endFlush();
  expect(flushes).toEqual([MANY.slice(0, 1), MANY.slice(1, 11), MANY.slice(11)]);
});

test('the half that was just answered is waited for, but not without end', async () => {
  const { add, flushes, endFlush } = openHeld({ ...HALVES, maxDelayMs: 500 });
  for (const item of MANY) void add(item);
  for (let at = 0; at < 3; at++) await endFlush();
  expect(flushes.flat()).toHaveLength(20);
  void add('early');
  expect(flushes.at(-1)).not.toContain('early');
  await expect.poll(() => flushes.at(-1)).toEqual(['early']);
  await endFlush();
  void add('alone');
  expect(flushes.at(-1)).toEqual(['alone']);
});

test('nearly half of the callers is enough', async () => {
  const { add, flushes, endFlush } = openHeld({ ...HALVES, maxDelayMs: 60_000 });
  for (const item of MANY) void add(item);
  for (let at = 0; at < 3; at++) await endFlush();
  const half = MANY.slice(0, 4);
  for (const item of half) void add(item);
  expect(flushes.at(-1)).toEqual(half);
});

import { expect, test } from 'vitest';
import { openGroupCommit } from './group-commit.ts';

const open = (limits: { most?: number; mostSize?: number; holdMs?: number } = {}) => {
  const groups: string[][] = [];
  const ends: (() => void)[] = [];
  const add = openGroupCommit<string, string>({
    most: 100,
    mostSize: 1_000,
    sizeOf: (item) => item.length,
    ...limits,
    flush: async (items) => {
      groups.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (items.includes('bad')) throw new Error('lost');
      return items.map((item) => `${item}!`);
    },
  });
  const endOne = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, groups, endOne };
};

test('the first goes at once; what arrives meanwhile goes together', async () => {
  const { add, groups, endOne } = open();
  const answers = Promise.all(['a', 'b', 'c'].map(add));
  expect(groups).toEqual([['a']]);
  await endOne();
  expect(groups).toEqual([['a'], ['b', 'c']]);
  await endOne();
  expect(await answers).toEqual(['a!', 'b!', 'c!']);
  void add('d');
  expect(groups.at(-1)).toEqual(['d']);
});

test('a group is bounded by number and by size, but one large item still goes', async () => {
  const { add, groups, endOne } = open({ most: 2, mostSize: 10 });
  for (const item of ['a', 'b', 'c', 'long-long-long', 'd', '12345', '67890', 'e']) void add(item);
  for (let at = 0; at < 8; at++) await endOne();
  expect(groups).toEqual([['a'], ['b', 'c'], ['long-long-long'], ['d', '12345'], ['67890', 'e']]);
});

test('a flush that fails fails its own group only', async () => {
  const { add, endOne } = open();
  const [first, bad, beside] = [add('a'), add('bad'), add('b')];
  const refused = Promise.all([expect(bad).rejects.toThrow('lost'), expect(beside).rejects.toThrow('lost')]);
  await endOne();
  const next = add('c');
  await endOne();
  await refused;
  await endOne();
  expect(await Promise.all([first, next])).toEqual(['a!', 'c!']);
});

const MANY = Array.from({ length: 20 }, (_, at) => String(at));

test('many take turns by halves', async () => {
  const { add, groups, endOne } = open();
  for (const item of MANY) void add(item);
  for (let at = 0; at < 3; at++) await endOne();
  expect(groups).toEqual([MANY.slice(0, 1), MANY.slice(1, 11), MANY.slice(11)]);
});

test('the next is on its way before anybody is answered', async () => {
  const happened: string[] = [];
  const add = openGroupCommit<string, string>({
    most: 100,
    mostSize: 1_000,
    sizeOf: () => 1,
    flush: async (items) => {
      for (let step = 0; step < 10; step++) await undefined;
      happened.push(`asked for ${items}`);
      return items;
    },
  });
  await Promise.all(['a', 'b'].map(async (item) => happened.push(`told ${await add(item)}`)));
  expect(happened).toEqual(['asked for a', 'asked for b', 'told a', 'told b']);
});

test('those who were just answered are waited for, but not without end', async () => {
  const { add, groups, endOne } = open({ holdMs: 500 });
  for (const item of MANY) void add(item);
  for (let at = 0; at < 3; at++) await endOne();
  expect(groups.flat()).toHaveLength(20);
  void add('early');
  expect(groups.at(-1)).not.toContain('early');
  await expect.poll(() => groups.at(-1), { timeout: 5_000 }).toEqual(['early']);
  await endOne();
  void add('alone');
  expect(groups.at(-1)).toEqual(['alone']);
});

test('half of them is enough', async () => {
  const { add, groups, endOne } = open({ holdMs: 60_000 });
  for (const item of MANY) void add(item);
  for (let at = 0; at < 3; at++) await endOne();
  const half = MANY.slice(0, 4);
  for (const item of half) void add(item);
  expect(groups.at(-1)).toEqual(half);
});

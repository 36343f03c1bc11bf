import { expect, test } from 'vitest';
import { openConcurrencyLimit } from './concurrency-limit.ts';

/** When all that follows from what was done has happened. */
const settled = () => new Promise(setImmediate);

/** Work that is done when the test says so. */
const openWork = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
};

test('so many work at once, the others in the order in which they came', async () => {
  const { begun, work, end } = openWork();
  const limited = openConcurrencyLimit(2);
  const all = ['a', 'b', 'c', 'd'].map((name) => limited(work(name)));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('c');
  await all[2];
  await settled();
  end('a');
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('one who goes away while waiting is not worked for, and takes no turn', async () => {
  const { begun, work, end } = openWork();
  const limited = openConcurrencyLimit(1);
  const [gone, late] = [new AbortController(), new AbortController()];
  const a = limited(work('a'));
  const b = limited(work('b'), { signal: gone.signal });
  const c = limited(work('c'), { signal: late.signal });
  gone.abort(new Error('gone'));
  await expect(b).rejects.toThrow('gone');
  await expect(limited(work('d'), { signal: gone.signal })).rejects.toThrow('gone');
  end('a');
  await a;
  await settled();
  // Once begun, it is done.
  late.abort(new Error('late'));
  end('c');
  expect(await c).toBe('c');
  expect(begun).toEqual(['a', 'c']);
  const e = limited(work('e'));
  end('e');
  expect(await e).toBe('e');
});

test('work that fails passes the turn on', async () => {
  const limited = openConcurrencyLimit(1);
  const failing = limited(() => Promise.reject(new Error('broken')));
  const next = limited(async () => 'next');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('next');
});

test('one who has waited too long is refused, and the turn goes to the next', async () => {
  const { begun, work, end } = openWork();
  const limited = openConcurrencyLimit(1, { maxWaitMs: 10 });
  const a = limited(work('a'));
  await expect(limited(work('b'))).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
  end('a');
  await a;
  const c = limited(work('c'));
  end('c');
  expect(await c).toBe('c');
  expect(begun).toEqual(['a', 'c']);
});

test('one key leaves half of the slots to others, unless it is said otherwise', async () => {
  const { begun, work, end } = openWork();
  const limited = openConcurrencyLimit(4);
  const all = ['a1', 'a2', 'a3', 'a4', 'b'].map((name) => limited(work(name), { key: name.slice(0, 1) }));
  expect(begun).toEqual(['a1', 'a2', 'b']);
  for (const name of ['a1', 'a2', 'b']) end(name);
  await settled();
  for (const name of ['a3', 'a4']) end(name);
  await Promise.all(all);
  expect(begun).toEqual(['a1', 'a2', 'b', 'a3', 'a4']);
});

test('keys take turns, and one of them leaves room for others', async () => {
  const { begun, work, end } = openWork();
  const limited = openConcurrencyLimit(2, { maxPerKey: 1, maxWaiting: 4, maxWaitingPerKey: 3 });
  const flood = ['a1', 'a2', 'a3', 'a4'].map((name) => limited(work(name), { key: 'a' }));
  expect(begun).toEqual(['a1']);
  await expect(limited(work('a5'), { key: 'a' })).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
  const b = limited(work('b'), { key: 'b' });
  const c = limited(work('c'), { key: 'c' });
  await expect(limited(work('d'), { key: 'd' })).rejects.toMatchObject({ code: 'E_UNAVAILABLE' });
  expect(begun).toEqual(['a1', 'b']);
  end('a1');
  await flood[0];
  await settled();
  expect(begun).toEqual(['a1', 'b', 'a2']);
  // Its next has to wait until the others had their turn.
  end('a2');
  await flood[1];
  await settled();
  expect(begun).toEqual(['a1', 'b', 'a2', 'c']);
  for (const name of ['b', 'c']) end(name);
  await Promise.all([b, c]);
  for (const [at, name] of ['a3', 'a4'].entries()) {
    await settled();
    end(name);
    await flood[at + 2];
  }
  expect(begun).toEqual(['a1', 'b', 'a2', 'c', 'a3', 'a4']);
});

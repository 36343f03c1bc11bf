import { expect, test } from 'vitest';
import { openZonePlaces } from './places.ts';

const { signal } = new AbortController();
const UNAVAILABLE = { code: 'E_UNAVAILABLE' };

test('who finds no place waits for one, the first to come before the others', async () => {
  const places = openZonePlaces({ total: 2, perKey: 2 });
  const giveBack = places.now('a', 2);
  const got: string[] = [];
  const take = (key: string) =>
    places.take({ key, count: 1, signal }).then((back) => {
      got.push(key);
      return back;
    });
  const [b, c, d] = [take('b'), take('c'), take('d')];
  giveBack();
  const [backOfB] = await Promise.all([b, c]);
  expect(got).toEqual(['b', 'c']);
  backOfB();
  await d;
  expect(got).toEqual(['b', 'c', 'd']);
});

test('who waits no more, or has waited for too long, leaves the place to others', async () => {
  const places = openZonePlaces({ total: 1, perKey: 1 }, 100);
  const giveBack = places.now('a');
  const leaving = new AbortController();
  const left = places.take({ key: 'b', count: 1, signal: leaving.signal });
  leaving.abort();
  await expect(left).rejects.toMatchObject(UNAVAILABLE);
  await expect(places.take({ key: 'c', count: 1, signal })).rejects.toMatchObject(UNAVAILABLE);
  giveBack();
  await places.take({ key: 'd', count: 1, signal });
});

test('a flood of one waits in no crowd', async () => {
  const places = openZonePlaces({ total: 1, perKey: 1 }, 100);
  places.now('a');
  const all = await Promise.allSettled(
    Array.from({ length: 50 }, async () => {
      const begun = performance.now();
      await places.take({ key: 'b', count: 1, signal }).catch(() => {});
      return performance.now() - begun;
    }),
  );
  const waited = all.filter((one) => one.status === 'fulfilled' && one.value > 50);
  expect(waited).toHaveLength(20);
});

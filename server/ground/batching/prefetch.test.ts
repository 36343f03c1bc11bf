import { expect, test } from 'vitest';
import { prefetch } from './prefetch.ts';

const told: string[] = [];
async function* three() {
  try {
    for (const item of [1, 2, 3]) {
      told.push(`made ${item}`);
      yield item;
    }
  } finally {
    told.push('ended');
  }
}

test('items come in their order, the next one while one is dealt with', async () => {
  told.length = 0;
  for await (const item of prefetch(three())) {
    await new Promise(setImmediate);
    told.push(`dealt with ${item}`);
  }
  expect(told).toEqual([
    'made 1',
    'made 2',
    'dealt with 1',
    'made 3',
    'dealt with 2',
    'ended',
    'dealt with 3',
  ]);
});

test('leaving early ends the source', async () => {
  told.length = 0;
  for await (const _ of prefetch(three())) break;
  expect(told).toEqual(['made 1', 'made 2', 'ended']);
});

test('a fault comes when its turn comes', async () => {
  const seen: number[] = [];
  async function* faulty() {
    yield 1;
    throw new Error('torn');
  }
  const reading = async () => {
    for await (const item of prefetch(faulty())) {
      await new Promise(setImmediate);
      seen.push(item);
    }
  };
  await expect(reading()).rejects.toThrow('torn');
  expect(seen).toEqual([1]);
});

import { expect, test } from 'vitest';
import { storeInOrder } from './store-in-order.ts';

const open = () => {
  const warnings: string[] = [];
  const stored: string[] = [];
  const inOrder = storeInOrder({
    pauseMs: 1,
    isTransient: (error) => (error as Error).message === 'away',
    warn: (error) => void warnings.push((error as Error).message),
  });
  /** Fails with these, one after the other, before it is stored. */
  const put = (name: string, ...faults: string[]) =>
    inOrder.store(async () => {
      const fault = faults.shift();
      if (fault) throw new Error(fault);
      stored.push(name);
    });
  return { ...inOrder, put, warnings, stored };
};

test('what may be stored later is tried again, and nothing overtakes it', async () => {
  const { put, warnings, stored } = open();
  put('a', 'away', 'away');
  put('b');
  await expect.poll(() => stored).toEqual(['a', 'b']);
  expect(warnings).toEqual(['away', 'away']);
});

test('what can never be stored is tried once, and what comes after it is stored', async () => {
  const { put, warnings, stored } = open();
  put('a', 'invalid byte sequence', 'invalid byte sequence');
  put('b', 'away', 'invalid byte sequence');
  put('c');
  await expect.poll(() => stored).toEqual(['c']);
  expect(warnings).toEqual(['invalid byte sequence', 'away', 'invalid byte sequence']);
});

test('once it is closed nothing is tried again', async () => {
  const { put, close, stored } = open();
  put('a', ...Array.from({ length: 1_000 }, () => 'away'));
  put('b');
  await close();
  expect(stored).toEqual(['b']);
});

import { expect, test } from 'vitest';
import { retryOnConflict } from './write-conflict.ts';

const failing = (code: string, times: number) => {
  let tries = 0;
  const work = async (): Promise<number> => {
    tries += 1;
    if (tries <= times) throw Object.assign(new Error(code), { code });
    return tries;
  };
  return { work, tries: () => tries };
};

test.each(['40P01', '40001'])(
  'what met another writer (%s) is done again, but not for ever',
  async (code) => {
    expect(await retryOnConflict(failing(code, 2).work)).toBe(3);
    const stuck = failing(code, Number.POSITIVE_INFINITY);
    await expect(retryOnConflict(stuck.work)).rejects.toThrow(code);
    expect(stuck.tries()).toBe(5);
  },
);

test('any other failure is not repeated', async () => {
  const once = failing('23505', 1);
  await expect(retryOnConflict(once.work)).rejects.toThrow('23505');
  expect(once.tries()).toBe(1);
});

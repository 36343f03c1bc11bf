import { expect, test } from 'vitest';
import { coalesced } from './index.ts';

const openWork = () => {
  const rounds: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  const work = coalesced(
    () => {
      const round = Promise.withResolvers<void>();
      rounds.push(round);
      return round.promise;
    },
    (error) => errors.push(error),
  );
  return { ...work, rounds, errors };
};

test('whoever asks while it runs has it run once more, however many they are', async () => {
  const { ask, idle, rounds } = openWork();
  ask();
  await expect.poll(() => rounds.length).toBe(1);
  ask();
  ask();
  rounds[0]?.resolve();
  await expect.poll(() => rounds.length).toBe(2);
  rounds[1]?.resolve();
  await idle();
  expect(rounds.length).toBe(2);
});

test.each([0, 1, 2, 3, 4, 5])('whoever asks %i turns after its end is heard', async (turns) => {
  const { ask, idle, rounds } = openWork();
  ask();
  await expect.poll(() => rounds.length).toBe(1);
  rounds[0]?.resolve();
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  ask();
  await expect.poll(() => rounds.length).toBe(2);
  rounds[1]?.resolve();
  await idle();
});

test('a failure is told, and does not keep back who asked meanwhile', async () => {
  const { ask, idle, rounds, errors } = openWork();
  ask();
  await expect.poll(() => rounds.length).toBe(1);
  ask();
  rounds[0]?.reject(new Error('away'));
  await expect.poll(() => rounds.length).toBe(2);
  expect(errors).toEqual([new Error('away')]);
  rounds[1]?.resolve();
  await idle();
});

test('the work asks for itself as long as it has more to do', async () => {
  let left = 3;
  const { ask, idle } = coalesced(
    async () => {
      left -= 1;
      if (left > 0) ask();
    },
    () => {},
  );
  ask();
  await idle();
  expect(left).toBe(0);
});

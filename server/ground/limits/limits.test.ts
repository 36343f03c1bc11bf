import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/database.ts';
import { openDatabase } from '../postgres/index.ts';
import { openLimits } from './limits.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const tries = (limits: ReturnType<typeof openLimits>, key: string, count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => limits.consume('login-account-address', key)));

it('two processes count together, and exactly the points are let through', async () => {
  const other = openDatabase({ url: database.url, max: 4, onError: () => {} });
  const [one, two] = [
    openLimits({ pool: database.pool, factor: 1 }),
    openLimits({ pool: other.pool, factor: 1 }),
  ];
  const results = (await Promise.all([tries(one, 'a', 9), tries(two, 'a', 9)])).flat();
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  await other.close();
});

it('says how long to wait, and forgiving opens the door at once', async () => {
  const limits = openLimits({ pool: database.pool, factor: 1 });
  await tries(limits, 'b', 10);
  await expect(limits.consume('login-account-address', 'b')).rejects.toMatchObject({
    code: 'E_TOO_MANY_REQUESTS',
    params: { minutes: 15 },
  });
  await limits.forgive('login-account-address', 'b');
  await limits.consume('login-account-address', 'b');
});

it('one key, one kind: another is not touched', async () => {
  const limits = openLimits({ pool: database.pool, factor: 1 });
  await tries(limits, 'c', 11);
  await limits.consume('login-account-address', 'd');
  await limits.consume('login-address', 'c');
});

it('many points may be used at once, and a limit may refuse by its own code', async () => {
  const limits = openLimits({ pool: database.pool, factor: 1 });
  await limits.consume('test-text-account', 'f', 150_000);
  await limits.consume('test-text-account', 'f', 50_000);
  await expect(limits.consume('test-text-account', 'f', 8_000)).rejects.toMatchObject({
    code: 'E_TEST_TEXT_LIMIT',
    params: { minutes: 1_440 },
  });
  // Further ones are refused without counting: the number in the database does not grow for ever.
  await expect(limits.consume('test-text-account', 'f', 8_000)).rejects.toThrow('E_TEST_TEXT_LIMIT');
  const { rows } = await database.pool.query(
    "select points from rate_limits where key = 'test-text-account:f'",
  );
  expect(rows).toEqual([{ points: 208_000 }]);
});

it('a point given back can be used again, and what has expired is removed', async () => {
  const limits = openLimits({ pool: database.pool, factor: 1 });
  await tries(limits, 'e', 10);
  await limits.giveBack('login-account-address', 'e');
  await limits.consume('login-account-address', 'e');
  await database.pool.query('update rate_limits set expire = 1');
  await limits.removeExpired();
  expect((await database.pool.query('select 1 from rate_limits')).rowCount).toBe(0);
});

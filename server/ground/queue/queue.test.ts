import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/database.ts';
import { openQueue, type Queue } from './queue.ts';

let database: TestDatabase;
let queue: Queue;
const errors: Error[] = [];
const ran = vi.fn<(data: unknown) => void>();
const gaveUp = vi.fn<(data: unknown) => void>();

const tasks = {
  'test.note': { run: async (data: unknown) => ran(data), cron: '0 0 1 1 *' },
  'test.fail': {
    run: async () => {
      throw new Error('never works');
    },
    retryLimit: 1,
    retryDelaySeconds: 1,
    onGiveUp: async (data: unknown) => gaveUp(data),
  },
};

beforeAll(async () => {
  database = await testDatabase();
  queue = await openQueue({ url: database.url, worker: true, onError: (error) => errors.push(error) });
  await queue.declare(tasks);
  await queue.work(tasks);
});
afterAll(async () => {
  await queue.stop(5000);
  await database.close();
});

it('work sent inside a transaction exists if and only if it commits', async () => {
  const send = (n: number, fail: boolean) =>
    database.db.transaction().execute(async (trx) => {
      await queue.send('test.note', { n }, { db: trx });
      if (fail) throw new Error('rolled back');
    });
  await expect(send(1, true)).rejects.toThrow('rolled back');
  await send(2, false);
  await vi.waitFor(() => expect(ran).toHaveBeenCalledWith({ n: 2 }));
  expect(ran).not.toHaveBeenCalledWith({ n: 1 });
});

it('a task that fails for good comes to its defined end, once', async () => {
  await queue.send('test.fail', { n: 3 });
  await vi.waitFor(() => expect(gaveUp).toHaveBeenCalledWith({ n: 3 }), { timeout: 20_000, interval: 200 });
  expect(gaveUp).toHaveBeenCalledTimes(1);
  expect(errors.length).toBeGreaterThanOrEqual(2);
}, 30_000);

it('a schedule is kept in the database, declared twice or not', async () => {
  await queue.declare(tasks);
  const { rows } = await database.pool.query('select name, cron from pgboss.schedule');
  expect(rows).toEqual([{ name: 'test.note', cron: '0 0 1 1 *' }]);
});

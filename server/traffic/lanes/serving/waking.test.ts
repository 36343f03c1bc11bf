import { afterAll, expect, test, vi } from 'vitest';
import { testDatabase } from '../../../../test/database.ts';
import { listenTo } from '../../../ground/postgres/index.ts';
import { LANES_CHANNEL } from './wake-store.ts';
import { openWaking } from './waking.ts';

const database = await testDatabase();
const heard: string[] = [];
const ready = Promise.withResolvers<void>();
const listener = listenTo({
  url: database.url,
  channel: LANES_CHANNEL,
  onNotice: (text) => heard.push(text),
  onReady: ready.resolve,
  onError: () => {},
});
afterAll(async () => {
  await listener.close();
  await database.close();
});

test('singles wake the lanes of this process directly, and all others by a notification', async () => {
  await ready.promise;
  const { db } = database;
  const { serve, wake } = openWaking();
  const woken: number[] = [];
  const end = serve((laneId) => {
    if (laneId !== 1) return false;
    woken.push(laneId);
    return true;
  });
  await wake(db, [1, 2], { singles: true });
  // What is not committed yet can't be claimed: its lanes are notified when it is.
  await db.transaction().execute((trx) => wake(trx, [1]));
  end();
  await wake(db, [1], { singles: true });
  await vi.waitFor(() => expect(heard).toHaveLength(3), 20_000);
  expect(heard).toEqual(['2 singles', '1', '1 singles']);
  expect(woken).toEqual([1]);
});

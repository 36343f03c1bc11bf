import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import { INVALID_CONTACT, type Verdict } from '../../contract/verdicts.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../test/delivery.ts';
import { byIndexes } from '../postgres/index.ts';
import { foldLaneCounts } from './counter-store.ts';
import { readLaneDays } from './lane-usage-store.ts';
import { readTraffic } from './overview-store.ts';
import { recordReceipts } from './record-receipts.ts';
import { resolveMessage } from './resolve.ts';

let room: TestDelivery;
let admin: AccountId;
beforeAll(async () => {
  room = await openTestDelivery();
  admin = await room.funded();
});
afterAll(async () => {
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const setting = async (count: number) => {
  const accountId = await room.funded(10);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const ids = await room.accept({ accountId, lane, count });
  await sql`update messages set cost_micros = 1000 where id = any(${ids}::uuid[])`.execute(room.db);
  return { lane, ids };
};
const send = async ({ lane, ids }: Awaited<ReturnType<typeof setting>>) => {
  const delivery = room.work([lane]);
  await room.become(ids, 'SUCCESS', 20_000);
  await delivery.stop(300);
};
const decide = async (ids: MessageId[], to: Verdict) => {
  const said = to === 'FAILED' ? { reason: INVALID_CONTACT.reason, code: INVALID_CONTACT.errorCode } : {};
  const deps = { db: room.db, queue: room.deps.queue, publish: async () => {} };
  for (const id of ids) await resolveMessage(deps, { id, to, by: admin, reason: '', code: '', ...said });
};
const usageOf = async (laneId: number) => {
  const from = new Date(Date.now() - 86_400_000);
  const days = await readLaneDays(room.db, [laneId], { from, timeZone: 'UTC' });
  const sum = (of: 'sent' | 'net' | 'costMicros') => days.reduce((total, day) => total + Number(day[of]), 0);
  return { sent: sum('sent'), net: sum('net'), cost: sum('costMicros') };
};
const trafficNow = async () => {
  const minutes = await readTraffic(room.db, 60);
  for (const { sent, failed } of minutes) expect(Math.min(sent, failed)).toBeGreaterThanOrEqual(0);
  const sum = (of: 'sent' | 'failed') => minutes.reduce((total, minute) => total + minute[of], 0);
  return { sent: sum('sent'), failed: sum('failed') };
};

test.each(['SUCCESS', 'FAILED'] as const)(
  'a lane has not sent what waited for it until an admin decided that it is %s',
  async (to) => {
    const { lane, ids } = await setting(3);
    const before = await trafficNow();
    await decide(ids, to);
    expect(await usageOf(lane.id)).toEqual({ sent: 0, net: 0, cost: 0 });
    expect(await trafficNow()).toEqual(before);
    await foldLaneCounts(room.db, 24);
    expect(await usageOf(lane.id)).toEqual({ sent: 0, net: 0, cost: 0 });
  },
);

test('what a lane sent stays sent, whatever an admin decides later', async () => {
  const { lane, ids } = await setting(3);
  const before = await trafficNow();
  await send({ lane, ids });
  const sent = { sent: before.sent + 3, failed: before.failed };
  expect(await trafficNow()).toEqual(sent);
  for (const to of ['FAILED', 'SUCCESS', 'FAILED'] as const) {
    await decide(ids, to);
    expect(await usageOf(lane.id)).toEqual({ sent: 3, net: 3, cost: 3_000 });
    expect(await trafficNow()).toEqual(sent);
  }
});

test('a failure that the carrier reports counts, and takes nothing away from what was sent', async () => {
  const { lane, ids } = await setting(2);
  await send({ lane, ids });
  const before = await trafficNow();
  const receipts = [
    { laneId: lane.id, providerMessageId: `c-${ids[0]}`, at: new Date(), code: '', state: 'failed' as const },
  ];
  await byIndexes(room.db, (trx) => recordReceipts(trx, { receipts }));
  expect(await usageOf(lane.id)).toEqual({ sent: 2, net: 1, cost: 1_000 });
  expect(await trafficNow()).toEqual({ sent: before.sent, failed: before.failed + 1 });
});

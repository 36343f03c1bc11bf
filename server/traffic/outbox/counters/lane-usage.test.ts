import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { INVALID_CONTACT, type Verdict } from '../../../../contract/traffic/verdicts.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../../test/delivery.ts';
import { indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import { resolveMessage } from '../doubt/resolve.ts';
import { recordReceipts } from '../results/record-receipts.ts';
import { foldLaneCounts } from './counter-store.ts';
import { readLaneDays } from './lane-usage-store.ts';
import { readTraffic } from './overview-store.ts';

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
  const scripted = scriptedCarrier();
  const lane = await room.addLane(() => scripted.carrier);
  const ids = await room.accept({ accountId, lane, count });
  await sql`update messages set cost_micros = 1000 where id = any(${ids}::uuid[])`.execute(room.db);
  return { lane, ids, script: scripted.script };
};
const send = async ({ lane, ids }: Pick<Awaited<ReturnType<typeof setting>>, 'lane' | 'ids'>) => {
  const delivery = room.work([lane]);
  await room.become(ids, 'SUCCESS', 20_000);
  await delivery.stop(300);
};
const decide = async (ids: MessageId[], to: Verdict) => {
  const said = to === 'FAILED' ? { reason: INVALID_CONTACT.reason, code: INVALID_CONTACT.errorCode } : {};
  const deps = { db: room.db, queue: room.deps.queue, publish: async () => {} };
  for (const id of ids) await resolveMessage(deps, { id, to, by: admin, reason: '', code: '', ...said });
};
const tell = async (laneId: number, id: MessageId | undefined, state: 'failed' | 'delivered') => {
  const receipts = [{ laneId, providerMessageId: `c-${id}`, at: new Date(), code: '', state }];
  await indexOnlyTransaction(room.db, (trx) => recordReceipts(trx, { receipts }));
};
/** Hands over all, of which the first gets no answer; that its carrier knows it is known nevertheless. */
const sendWithDoubt = async ({ lane, ids, script }: Awaited<ReturnType<typeof setting>>) => {
  const [doubtful, ...others] = ids as [MessageId, ...MessageId[]];
  const answer = script.answer;
  script.answer = (message) =>
    message.id === doubtful ? { outcome: 'unknown', reason: '' } : answer(message);
  const delivery = room.work([lane]);
  await room.become(others, 'SUCCESS', 20_000);
  await expect.poll(async () => (await room.read([doubtful]))[0]?.unknownSince).not.toBeNull();
  await delivery.stop(300);
  await sql`update messages set provider_message_id = ${`c-${doubtful}`} where id = ${doubtful}`.execute(
    room.db,
  );
  return doubtful;
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
  await tell(lane.id, ids[0], 'failed');
  expect(await usageOf(lane.id)).toEqual({ sent: 2, net: 1, cost: 1_000 });
  expect(await trafficNow()).toEqual({ sent: before.sent, failed: before.failed + 1 });
});

test('what is removed takes nothing away that was not counted', async () => {
  const { lane, ids } = await setting(3);
  await decide(ids.slice(0, 1), 'FAILED');
  await send({ lane, ids: ids.slice(1) });
  await decide(ids.slice(1, 2), 'FAILED');
  expect(await usageOf(lane.id)).toEqual({ sent: 2, net: 2, cost: 2_000 });
  await sql`delete from messages where id = any(${ids.slice(0, 2)}::uuid[])`.execute(room.db);
  expect(await usageOf(lane.id)).toEqual({ sent: 1, net: 1, cost: 1_000 });
  await foldLaneCounts(room.db, 24);
  expect(await usageOf(lane.id)).toEqual({ sent: 1, net: 1, cost: 1_000 });
});

test.each([
  ['failed', { sent: 2, net: 1, cost: 1_000 }],
  ['delivered', { sent: 2, net: 2, cost: 2_000 }],
] as const)(
  'of what was in doubt until an admin decided that it was sent, a receipt that it %s counts, and for itself alone',
  async (state, usage) => {
    const { lane, ...rest } = await setting(2);
    const doubtful = await sendWithDoubt({ lane, ...rest });
    await decide([doubtful], 'SUCCESS');
    expect(await usageOf(lane.id)).toEqual({ sent: 1, net: 1, cost: 1_000 });
    await tell(lane.id, doubtful, state);
    expect(await usageOf(lane.id)).toEqual(usage);
    await foldLaneCounts(room.db, 24);
    expect(await usageOf(lane.id)).toEqual(usage);
  },
);

test('a failure that the carrier reports counts also after an admin has decided to and fro', async () => {
  const { lane, ids } = await setting(2);
  await send({ lane, ids });
  await decide(ids, 'FAILED');
  await decide(ids, 'SUCCESS');
  await tell(lane.id, ids[0], 'failed');
  expect(await usageOf(lane.id)).toEqual({ sent: 2, net: 1, cost: 1_000 });
});

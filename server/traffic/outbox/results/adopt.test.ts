import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  type ScriptedCarrier,
  scriptedCarrier,
  type TestDelivery,
} from '../../../../test/delivery.ts';
import { indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import type { Lane, SentPart } from '../../lanes/index.ts';
import { adoptReceipts } from './adopt-store.ts';
import type { LaneReceipt } from './early-receipt-store.ts';
import { reconcile } from './reconcile.ts';
import { recordEarlyReceipts, recordReceipts } from './record-receipts.ts';

let room: TestDelivery;
let lane: Lane;
let accountId: AccountId;
let scripted: ScriptedCarrier;
beforeAll(async () => {
  room = await openTestDelivery();
  scripted = scriptedCarrier();
  lane = await room.addLane(() => scripted.carrier);
  room.work([lane]);
  accountId = await room.funded(100);
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const NOW = { settledMs: 0, unknownMs: 600_000 };
const SILENT: SentPart = { state: 'unknown' };
const receipt = (providerMessageId: string, recipient: string): LaneReceipt => ({
  laneId: lane.id,
  providerMessageId,
  state: 'delivered',
  code: '',
  at: new Date(),
  recipient,
  ofPart: true,
});

/** Sends a long message to a number, of which the carrier says this. */
const send = async (to: string, parts: SentPart[]): Promise<MessageId> => {
  scripted.script.answer = () => ({ outcome: 'unknown', reason: '', parts });
  const [id] = await room.accept({ accountId, lane, segments: parts.length, recipient: () => to });
  await expect.poll(async () => (await room.read([id as MessageId]))[0]?.unknownSince).not.toBeNull();
  return id as MessageId;
};
const isWaitingForLock = async (): Promise<boolean> => {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(room.db);
  return rows.length > 0;
};

it('a receipt of one part that commits while another part gets its id is not lost', async () => {
  const to = '+85291110001';
  const id = await send(to, [{ state: 'taken', id: 'k1' }, SILENT]);
  await recordReceipts(room.db, { receipts: [receipt('k2', to)] });
  const reconciling = await indexOnlyTransaction(room.db, async (trx) => {
    await recordReceipts(trx, { receipts: [receipt('k1', to)] });
    const running = reconcile(room.db, NOW);
    for (const until = Date.now() + 10_000; !(await isWaitingForLock()); await sleep(10))
      if (Date.now() > until) throw new Error('it does not wait for the receipt');
    return { running };
  });
  await reconciling.running;
  expect((await room.read([id]))[0]).toMatchObject({ status: 'SUCCESS', deliveredAt: expect.any(Date) });
});

it('a receipt that was taken while its message was not there still gives a lost part its id', async () => {
  const to = '+85291110002';
  const id = await send(to, [{ state: 'taken', id: 'l1' }, SILENT]);
  await recordReceipts(room.db, { receipts: [receipt('l2', to)] });
  await indexOnlyTransaction(room.db, (trx) =>
    recordEarlyReceipts(trx, { keys: [{ laneId: lane.id, providerMessageId: 'l2' }] }),
  );
  await recordReceipts(room.db, { receipts: [receipt('l1', to)] });
  await reconcile(room.db, NOW);
  expect((await room.read([id]))[0]).toMatchObject({ status: 'SUCCESS', deliveredAt: expect.any(Date) });
});

it('a receipt that was taken and kept again stays older than a message that was sent after it', async () => {
  const to = '+85291110003';
  await recordReceipts(room.db, { receipts: [receipt('m2', to)] });
  const id = await send(to, [{ state: 'taken', id: 'm1' }, SILENT]);
  await indexOnlyTransaction(room.db, (trx) =>
    recordEarlyReceipts(trx, { keys: [{ laneId: lane.id, providerMessageId: 'm2' }] }),
  );
  await reconcile(room.db, NOW);
  expect((await room.read([id]))[0]).toMatchObject({ status: 'PENDING' });
});

it('a receipt that comes twice gives its id to one part only', async () => {
  const to = '+85291110004';
  const id = await send(to, [SILENT, SILENT]);
  await recordReceipts(room.db, { receipts: [receipt('n1', to)] });
  await adoptReceipts(room.db, 0);
  // Its second copy was looked up before the first one had given the part its id, and is kept after that.
  await sql`insert into early_receipts (lane_id, provider_message_id, state, code, at, recipient, of_part)
    values (${lane.id}, 'n1', 'delivered', '', now(), ${to}, true)`.execute(room.db);
  await reconcile(room.db, NOW);
  expect((await room.read([id]))[0]).toMatchObject({ status: 'PENDING', deliveredAt: null });
});

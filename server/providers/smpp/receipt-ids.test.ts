import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDelivery, type TestDelivery } from '../../../test/delivery.ts';
import { type Smsc, startSmsc, USUAL_RECEIPTS } from '../../../test/emulators/smsc/smsc.ts';
import { reconcile } from '../../traffic/outbox/testing/index.ts';
import { smppCarrier, smppOptions } from './index.ts';

let room: TestDelivery;
let smsc: Smsc;
beforeAll(async () => {
  room = await openTestDelivery();
  smsc = await startSmsc({});
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
  await smsc.close();
});

it.each([
  ['hex', 'short messages', { segments: 1, text: 'short' }],
  ['decimal', 'short messages', { segments: 1, text: 'short' }],
  ['hex', 'the parts of long messages', { segments: 3, text: 'long '.repeat(90) }],
  ['decimal', 'the parts of long messages', { segments: 3, text: 'long '.repeat(90) }],
] as const)(
  'receipts with ids in the other form (%s) find %s after a restart',
  async (ids, _, kind) => {
    // It answers in the one form, and reports nothing yet.
    smsc.behaviour.receipts = { ...USUAL_RECEIPTS, ids, times: 0 };
    const lane = await room.addLane(() => smppCarrier(smppOptions(smsc.url())));
    const accountId = await room.funded(10);
    const sent = await room.accept({ accountId, lane, count: 5, ...kind });
    const before = room.work([lane]);
    await room.become(sent, 'SUCCESS');
    await before.stop(500);
    const after = room.work([lane]);
    await expect.poll(() => smsc.connected()).toBeGreaterThan(0);
    smsc.behaviour.receipts = { ...USUAL_RECEIPTS, ids };
    await smsc.reportAll('DELIVRD');
    await expect
      .poll(async () => (await room.read(sent)).filter(({ deliveredAt }) => deliveredAt).length, {
        timeout: 10_000,
      })
      .toBe(5);
    await after.stop(500);
    await reconcile(room.db, { settledMs: 0 });
  },
  60_000,
);

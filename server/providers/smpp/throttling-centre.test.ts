import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BatchId, MessageId } from '../../../contract/traffic/messages.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../test/delivery.ts';
import { type Smsc, startSmsc } from '../../../test/emulators/smsc/smsc.ts';
import {
  cancelBatch,
  publishNothing,
  resolveMessage,
  transferMessages,
} from '../../traffic/outbox/testing/index.ts';
import { smppCarrier, smppOptions } from './index.ts';

/** Many more than a centre that throttles takes at a time. */
const WINDOW = 50;
const MESSAGES = 120;
const SECONDS_MS = 10_000;

let room: TestDelivery;
let smsc: Smsc;
beforeAll(async () => {
  room = await openTestDelivery();
  smsc = await startSmsc({ behaviour: { latencyMs: 20 } });
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  expect(await room.differing()).toEqual([]);
  await room.close();
  await smsc.close();
});

const queue = { send: async () => {} };
const within = { timeout: SECONDS_MS, interval: 20 };

it.each([
  ['short messages', { segments: 1, text: 'short' }],
  ['long messages', { segments: 3, text: 'long '.repeat(90) }],
])(
  '%s that a centre does not take now wait where they are moved, decided and withdrawn within seconds',
  async (_, kind) => {
    smsc.behaviour.throttled = 1;
    const lane = await room.addLane(() => smppCarrier(smppOptions(smsc.url({ binds: 2, window: WINDOW }))));
    const accountId = await room.funded(10);
    const ids = await room.accept({ accountId, lane, count: MESSAGES, ...kind });
    const { submits } = smsc.counts();
    const delivery = room.work([lane], { answerMs: 90_000, gatherMs: 50, pollMs: 1_000, drainMs: 0 });
    // Its pace has shrunk by then.
    await expect.poll(() => smsc.counts().submits, within).toBeGreaterThan(submits + 3 * WINDOW);
    const waiting = async (): Promise<MessageId[]> =>
      (await room.read(ids)).filter(({ waits }) => waits).map(({ id }) => id);
    await expect.poll(async () => (await waiting()).length, within).toBeGreaterThan(MESSAGES - 5);

    const [moved, decided] = (await waiting()) as [MessageId, MessageId];
    const elsewhere = await room.addLane(() => scriptedCarrier().carrier);
    expect(await transferMessages(room.db, { ids: [moved], to: elsewhere.id })).toMatchObject({ moved: 1 });
    const verdict = { to: 'FAILED' as const, by: randomUUID() as AccountId, reason: '', code: '' };
    const deps = { db: room.db, queue, publish: publishNothing };
    expect(await resolveMessage(deps, { id: decided, ...verdict })).toEqual({
      changed: true,
      was: 'PENDING',
    });
    const { rows } = await sql<{ batchId: BatchId }>`
      select distinct batch_id as "batchId" from messages where id = any(${ids}::uuid[])`.execute(room.db);
    const sender = { accountId, test: false } as never;
    await expect
      .poll(async () => {
        for (const { batchId } of rows) await cancelBatch({ db: room.db, queue }, { sender, batchId });
        return room.countByStatus(ids);
      }, within)
      .toEqual({ FAILED: 1, CANCELLED: MESSAGES - 1 });
    await delivery.stop(0);
  },
  60_000,
);

it('what waits for a centre that throttled all goes on when it takes again', async () => {
  smsc.behaviour.throttled = 1;
  const lane = await room.addLane(() => smppCarrier(smppOptions(smsc.url({ binds: 2, window: WINDOW }))));
  const ids = await room.accept({
    accountId: await room.funded(10),
    lane,
    count: MESSAGES,
    segments: 3,
    text: 'long '.repeat(90),
  });
  const delivery = room.work([lane], { answerMs: 90_000, gatherMs: 50, pollMs: 1_000, drainMs: 0 });
  const { submits } = smsc.counts();
  await expect.poll(() => smsc.counts().submits, within).toBeGreaterThan(submits + WINDOW);
  smsc.behaviour.throttled = 0;
  await expect.poll(() => room.countByStatus(ids), within).toEqual({ SUCCESS: MESSAGES });
  await delivery.stop(0);
}, 60_000);

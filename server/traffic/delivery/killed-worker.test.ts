import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import {
  openTestDelivery,
  PRICE_MICROS,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import { type Smsc, startSmsc } from '../../../test/emulators/smsc/smsc.ts';
import { reconcile } from '../outbox/testing/index.ts';

const WORKER = fileURLToPath(new URL('../../../test/sending-worker.ts', import.meta.url));
const COUNT = 1_000;

let room: TestDelivery;
let smsc: Smsc;
beforeAll(async () => {
  room = await openTestDelivery();
  smsc = await startSmsc({ behaviour: { latencyMs: 20 } });
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await smsc.close();
  await room.close();
});

const startWorker = async (): Promise<ChildProcess> => {
  const options = { databaseUrl: room.url, smppUrl: smsc.url({ binds: 1, window: 20 }), leaseMs: 600 };
  const child = fork(WORKER, [JSON.stringify(options)]);
  await once(child, 'message');
  return child;
};
const statusesBy = async (ids: MessageId[], of: (recipient: string) => boolean) => {
  const { rows } = await sql<{ recipient: string; status: string }>`
    select recipient, status from messages where id = any(${ids}::uuid[])`.execute(room.db);
  return [...new Set(rows.filter(({ recipient }) => of(recipient)).map(({ status }) => status))].sort();
};

it('kill -9 of a worker in the middle loses no message and doubles none', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set name = 'proof' where id = ${lane.id}`.execute(room.db);
  const accountId = await room.funded(100);
  const ids = await room.accept({ accountId, lane, count: COUNT });
  const taken = (recipient: string) => smsc.of({ recipient: recipient, text: 'hello' });
  for (const kills of [1, 2]) {
    const worker = await startWorker();
    const before = smsc.counts().messages;
    await vi.waitFor(() => expect(smsc.counts().messages).toBeGreaterThan(before + 100 * kills), {
      timeout: 60_000,
      interval: 5,
    });
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
  const last = await startWorker();
  await vi.waitFor(
    async () => {
      const rows = await room.read(ids);
      expect(rows.filter(({ status, unknownSince }) => status === 'PENDING' && !unknownSince)).toEqual([]);
    },
    { timeout: 60_000, interval: 100 },
  );
  last.kill('SIGTERM');
  await once(last, 'exit');
  // It has then read all that the workers wrote, also what they wrote just before they were killed.
  await vi.waitFor(() => expect(smsc.connected()).toBe(0), 20_000);
  await reconcile(room.db, { unknownMs: 0 });

  expect(smsc.counts().repeated).toBe(0);
  expect(await statusesBy(ids, (recipient) => taken(recipient) === 0)).toEqual(['FAILED_WITH_EXCEPTION']);
  const counts = await room.countByStatus(ids);
  expect((counts.SUCCESS ?? 0) + (counts.FAILED_WITH_EXCEPTION ?? 0)).toBe(COUNT);
  expect(counts.FAILED_WITH_EXCEPTION).toBeGreaterThan(0);
  expect(counts.FAILED_WITH_EXCEPTION).toBeLessThan(COUNT / 2);
  expect(await room.balance(accountId)).toBe(100_000_000n - PRICE_MICROS * BigInt(COUNT));
}, 180_000);

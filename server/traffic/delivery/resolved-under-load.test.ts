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
import { indexOnlyTransaction, retryOnConflict } from '../../ground/postgres/index.ts';
import { resolveWithin } from '../outbox/doubt/index.ts';
import { publishNothing, reconcile } from '../outbox/testing/index.ts';

const WORKER = fileURLToPath(new URL('../../../test/sending-worker.ts', import.meta.url));
const COUNT = 1_500;
/** Sent while receipts come for those. */
const MORE = 600;
const REPORTED = 200;
const LIMIT = { timeout: 60_000, interval: 20 };

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
  await smsc.close();
  await room.close();
});

const startWorker = async (): Promise<ChildProcess> => {
  const options = { databaseUrl: room.url, smppUrl: smsc.url({ binds: 1, window: 20 }), leaseMs: 600 };
  const child = fork(WORKER, [JSON.stringify(options)]);
  await once(child, 'message');
  return child;
};

it('with workers killed meanwhile, what was resolved while it waited never reaches the carrier, and receipts move no money twice', async () => {
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set name = 'proof' where id = ${lane.id}`.execute(room.db);
  const accountId = await room.funded(100);
  const admin = await room.funded();
  const ids = await room.accept({ accountId, lane, count: COUNT });
  const deps = { queue: room.deps.queue, publish: publishNothing };
  const decide = (some: MessageId[], to: 'SUCCESS' | 'FAILED') =>
    retryOnConflict(() =>
      indexOnlyTransaction(room.db, (trx) =>
        resolveWithin({ ...deps, db: trx }, { ids: some, to, by: admin, reason: '', code: '' }),
      ),
    );
  const order = ids.toSorted().toReversed();

  const first = await startWorker();
  await vi.waitFor(() => expect(smsc.counts().messages).toBeGreaterThan(100), LIMIT);
  for (let at = 0; at < 400; at += 50) await decide(order.slice(at, at + 50), 'FAILED');
  first.kill('SIGKILL');
  await once(first, 'exit');
  for (let at = 400; at < 700; at += 50)
    await decide(order.slice(at, at + 50), at % 100 ? 'FAILED' : 'SUCCESS');
  const second = await startWorker();
  for (let at = 700; at < 900; at += 50) await decide(order.slice(at, at + 50), 'FAILED');

  // What was sent is decided otherwise; its receipts come meanwhile and afterwards, while more is sent and the worker
  // is killed again.
  const more = await room.accept({
    accountId,
    lane,
    count: MORE,
    recipient: (at) => `+85262${String(at).padStart(6, '0')}`,
  });
  const sentOnes = async () =>
    (await room.read(ids)).flatMap(({ id, status, providerMessageId }) =>
      status === 'SUCCESS' && providerMessageId ? [{ id, providerMessageId }] : [],
    );
  await vi.waitFor(async () => expect((await sentOnes()).length).toBeGreaterThanOrEqual(REPORTED), LIMIT);
  const sent = (await sentOnes()).slice(0, REPORTED);
  await decide(
    sent.slice(0, REPORTED / 2).map(({ id }) => id),
    'FAILED',
  );
  let acknowledged = 0;
  const reports = sent.map(async ({ providerMessageId }, at) => {
    await smsc.report(providerMessageId, at % 2 ? 'DELIVRD' : 'UNDELIV');
    acknowledged += 1;
  });
  const late = decide(
    sent.slice(REPORTED / 2).map(({ id }) => id),
    'FAILED',
  );
  await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(10), LIMIT);
  second.kill('SIGKILL');
  await once(second, 'exit');
  const third = await startWorker();
  await Promise.all([late, ...reports]);
  // Once more, each the other way round.
  await Promise.all(
    sent.map(({ providerMessageId }, at) => smsc.report(providerMessageId, at % 2 ? 'UNDELIV' : 'DELIVRD')),
  );
  ids.push(...more);

  const isOpen = async () =>
    (await room.read(ids)).filter(({ status, unknownSince }) => status === 'PENDING' && !unknownSince).length;
  await vi.waitFor(async () => expect(await isOpen()).toBe(0), { timeout: 60_000, interval: 100 });
  third.kill('SIGTERM');
  await once(third, 'exit');
  await vi.waitFor(() => expect(smsc.connected()).toBe(0), LIMIT);

  // What is in doubt is decided, twice and the other way round; then its receipts come.
  await reconcile(room.db, { unknownMs: 0 });
  const doubtful = (await room.read(ids)).filter(({ status }) => status === 'FAILED_WITH_EXCEPTION');
  const open = doubtful.map(({ id }) => id);
  await Promise.all([decide(open, 'SUCCESS'), decide(open, 'FAILED'), decide(open, 'FAILED')]);
  await reconcile(room.db, { unknownMs: 0, settledMs: 0 });

  expect(smsc.counts().repeated).toBe(0);
  const { rows } = await sql<{ recipient: string }>`
    select m.recipient from resolutions r join messages m on m.id = r.message_id
    where r.was = 'PENDING' and m.unknown_since is null`.execute(room.db);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(({ recipient }) => smsc.of({ recipient, text: 'hello' }) > 0)).toEqual([]);
  const { SUCCESS: success = 0, FAILED: failed = 0 } = await room.countByStatus(ids);
  expect(success + failed).toBe(COUNT + MORE);
  expect(await room.balance(accountId)).toBe(100_000_000n - PRICE_MICROS * BigInt(success));
  // Whatever was reported about them, those that failed by decision were refunded once.
  const { rows: refunds } = await sql<{ count: number }>`
    select count(*)::int as count from ledger_refunds where account_id = ${accountId}
      and item = any(${sent.map(({ id }) => `message:${id}`)}::text[])`.execute(room.db);
  expect(refunds[0]?.count).toBe(REPORTED);
}, 180_000);

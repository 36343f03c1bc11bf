import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Concern } from '../../contract/overview.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../test/delivery.ts';
import { openTestPhones } from '../../test/phones.ts';
import {
  claimMessages,
  foldTraffic,
  openRecorder,
  publishNothing,
  readTraffic,
  resultOf,
} from '../outbox/index.ts';
import { openQueue, type Queue } from '../queue/index.ts';
import { readConcerns } from './read-concerns.ts';

let room: TestDelivery;
let queue: Queue;
beforeAll(async () => {
  room = await openTestDelivery();
  // It makes the tables of the jobs.
  queue = await openQueue({ url: room.url, worker: false, onError: () => {} });
});
afterAll(async () => {
  await queue.stop(1_000);
  await room.close();
});

const concerns = (part: { mode?: 'on' | 'off'; low?: boolean } = {}): Promise<Concern[]> =>
  readConcerns({
    db: room.db,
    retention: { db: room.db, mode: part.mode ?? 'on' },
    isDiskLow: () => part.low ?? false,
  });
const kinds = async (part = {}) => (await concerns(part)).map(({ kind }) => kind);

test('an installation that is well has nothing to tell', async () => {
  expect(await concerns()).toEqual([]);
});

test('each thing that needs a hand is told once, the most urgent first', async () => {
  const accountId = await room.funded(10);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set up = false where id = ${lane.id}`.execute(room.db);
  await room.accept({ accountId, lane, count: 3 });
  await sql`update messages set unknown_since = now(), status = 'FAILED_WITH_EXCEPTION'
    where account_id = ${accountId}`.execute(room.db);
  await openTestPhones(room.db).add(
    'hk-1',
    { smsActive: true },
    { validityDays: '1' },
    { estimatedBalance: '3' },
  );
  await sql`insert into webhook_endpoints (account_id, url, failing_since)
    values (${accountId}, 'https://example.com', now())`.execute(room.db);
  await sql`insert into retention_log (rule, period_days, dry_run, ran_at, cutoff, ended_at)
    values ('mail-copies', 60, false, now() - interval '3 days', now(), now() - interval '3 days')`.execute(
    room.db,
  );
  await sql`insert into ledger_proofs (wallets, differences, duration_ms) values (1, 2, 3)`.execute(room.db);
  const found = await concerns({ low: true });
  expect(found.map(({ kind, count, names }) => [kind, count, names])).toEqual([
    ['ledger', 2, []],
    ['in_doubt', 3, []],
    ['lanes', 1, [lane.name]],
    ['phones_down', 1, ['hk-1']],
    ['phones_validity', 1, ['hk-1']],
    ['phones_topup', 1, ['hk-1']],
    ['webhooks', 1, []],
    ['disk', 1, []],
    ['retention', 1, []],
  ]);
  expect(found.find(({ kind }) => kind === 'in_doubt')?.since).not.toBeNull();
});

test('a payment that nobody settles, and a job that was given up, are told', async () => {
  const { rows } = await sql<{
    accountId: string;
  }>`select account_id as "accountId" from wallets limit 1`.execute(room.db);
  const accountId = rows[0]?.accountId;
  const cardId = randomUUID();
  await sql`insert into cards (id, account_id, processor, customer_ref, method_ref, brand, last4, exp_month,
      exp_year)
    values (${cardId}, ${accountId}, 'sandbox', 'c', 'm', 'visa', '4242', 1, 2099)`.execute(room.db);
  await sql`insert into payments (account_id, type, status, amount_micros, currency, charge_minor, card_id, processor,
      created_at)
    values (${accountId}, 'TOP_UP', 'PENDING', 1, 'USD', 1, ${cardId}, 'sandbox', now() - interval '1 hour')`.execute(
    room.db,
  );
  await queue.declare({ 'test.fails': { run: async () => {} } });
  await queue.send('test.fails', {});
  await sql`update pgboss.job set state = 'failed', completed_on = now() where name = 'test.fails'`.execute(
    room.db,
  );
  const found = await concerns();
  expect(found.find(({ kind }) => kind === 'payments')?.count).toBe(1);
  expect(found.find(({ kind }) => kind === 'jobs')).toMatchObject({ count: 1, names: ['test.fails'] });
});

test('retention that is turned off is told', async () => {
  expect(await kinds({ mode: 'off' })).toContain('retention');
});

test('the traffic of the last hour counts what happened, minute by minute', async () => {
  const accountId = await room.funded(10);
  const lane = await room.addLane(() => scriptedCarrier().carrier);
  const holder = randomUUID();
  await room.takeLane(lane.id, holder, 600_000);
  const sum = async () => {
    const traffic = await readTraffic(room.db, 60);
    expect(traffic).toHaveLength(60);
    const of = (key: 'accepted' | 'sent' | 'failed') => traffic.reduce((total, one) => total + one[key], 0);
    return { accepted: of('accepted'), sent: of('sent'), failed: of('failed') };
  };
  const before = await sum();
  await room.accept({ accountId, lane, count: 4 });
  const { claimed } = await claimMessages(room.db, { laneId: lane.id, holder, limit: 4 });
  const recorder = openRecorder({
    db: room.db,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    timing: { gatherMs: 5 },
    publisher: { publish: publishNothing, publishingRows: () => sql`select`, hasSubscriber: () => false },
  }).of(lane);
  await Promise.all(
    claimed.map((message, at) =>
      recorder.add({
        kind: 'result',
        result: resultOf(
          message,
          at === 0
            ? { outcome: 'refused', code: 'NO', reason: 'No.', retryable: false }
            : { outcome: 'accepted', providerMessageId: `t-${at}` },
        ),
      }),
    ),
  );
  const after = await sum();
  await foldTraffic(room.db);
  expect(await sum()).toEqual(after);
  expect({
    accepted: after.accepted - before.accepted,
    sent: after.sent - before.sent,
    failed: after.failed - before.failed,
  }).toEqual({ accepted: 4, sent: 3, failed: 1 });
});

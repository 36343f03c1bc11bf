import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../../contract/calls.ts';
import { phoneNotices } from '../../../contract/fleet/phone-rules.ts';
import type { Concern } from '../../../contract/office/overview.ts';
import { isLaneDown } from '../../../contract/traffic/lane-rules.ts';
import { openTestDelivery, scriptedCarrier, type TestDelivery } from '../../../test/delivery.ts';
import { openTestPhones } from '../../../test/phones.ts';
import { readNames } from '../../customer/contacts/index.ts';
import { searchPayments } from '../../customer/wallet/payments/index.ts';
import { adminPhoneRoutes } from '../../fleet/phones/index.ts';
import { openQueue, type Queue } from '../../ground/queue/index.ts';
import { listLaneRows } from '../../traffic/lanes/index.ts';
import { adminDoubtRoutes, openRecorder, readTraffic, resultOf } from '../../traffic/outbox/index.ts';
import { claimMessages, foldTraffic, publishNothing } from '../../traffic/outbox/testing/index.ts';
import { customerListRoutes } from '../customers/index.ts';
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

test('each figure counts exactly those that its link opens, of lanes and phones that are well or somebody else’s too', async () => {
  const counted = async (kind: Concern['kind']) =>
    (await concerns()).find((one) => one.kind === kind)?.count ?? 0;
  // Lanes: one that is down, and others that are not the operator's to mend.
  const down = await room.addLane(() => scriptedCarrier().carrier);
  const paused = await room.addLane(() => scriptedCarrier().carrier);
  await room.addLane(() => scriptedCarrier().carrier);
  await sql`update lanes set up = false where id in (${down.id}, ${paused.id})`.execute(room.db);
  await sql`update lanes set mode = 'paused' where id = ${paused.id}`.execute(room.db);
  const lanes = (await listLaneRows(room.db)).filter(isLaneDown).map(({ name }) => name);
  expect(lanes).toContain(down.name);
  expect(lanes).not.toContain(paused.name);
  expect(await counted('lanes')).toBe(lanes.length);
  // Phones: of each kind of notice, and one that was given back.
  const phones = openTestPhones(room.db);
  await phones.add('hk-low', { estimatedBalance: '3' });
  await phones.add('hk-gone', { estimatedBalance: '3' }, { remark: 'RELEASED' });
  const inventory = (await adminPhoneRoutes(phones.deps)['GET /phoneNumberInventory']?.({
    query: { all: 'true' },
  } as never)) as Reply<'GET /phoneNumberInventory'>;
  const listed = inventory.phoneNumberInventory;
  for (const [kind, notice] of [
    ['phones_down', 'DOWN'],
    ['phones_validity', 'VALIDITY'],
    ['phones_topup', 'TOPUP'],
  ] as const) {
    const found = listed.filter((phone) => phoneNotices(phone).includes(notice));
    expect(found.map(({ name }) => name)).not.toContain('hk-gone');
    expect(await counted(kind)).toBe(found.length);
  }
  // Payments: late ones, not those of this moment, and refunds that were asked for.
  const { rows } = await sql<{ id: string; cardId: string; accountId: string }>`
    select p.id, p.card_id as "cardId", p.account_id as "accountId" from payments p limit 1`.execute(room.db);
  const [late] = rows;
  const paid = async (status: string, age: string) =>
    (
      await sql<{ id: string }>`
        insert into payments (account_id, type, status, amount_micros, currency, charge_minor, card_id, processor, created_at)
        values (${late?.accountId}, 'TOP_UP', ${status}, 1, 'USD', 1, ${late?.cardId}, 'sandbox', now() - ${age}::interval)
        returning id`.execute(room.db)
    ).rows[0]?.id;
  const fresh = await paid('PENDING', '1 minute');
  const settled = await paid('SUCCESS', '2 hours');
  const refunding = await paid('SUCCESS', '3 hours');
  await sql`insert into payment_refunds (payment_id, asked_by, reason, amount_minor, refunded_minor, idempotency_key,
      state, created_at)
    values (${refunding}, ${late?.accountId}, 'asked', 1, 0, 'k', 'ASKED', now() - interval '2 hours')`.execute(
    room.db,
  );
  const unsettled = await searchPayments(room.db, { unsettled: 'true', timeZone: 'UTC', limit: 100 });
  const ids: string[] = unsettled.map(({ id }) => id);
  expect(ids).toContain(late?.id);
  expect(ids).toContain(refunding);
  expect(ids).not.toContain(fresh);
  expect(ids).not.toContain(settled);
  expect(await counted('payments')).toBe(ids.length);
  // Messages in doubt, and accounts whose webhook fails.
  const caller = { accountId: late?.accountId } as never;
  const doubtful = (await adminDoubtRoutes({ db: room.db, readNames })['GET /admin/inDoubt']?.({
    caller,
    query: { limit: 100, skip: 0 },
  } as never)) as Reply<'GET /admin/inDoubt'>;
  expect(doubtful.total).toBeGreaterThan(0);
  expect(doubtful.messages).toHaveLength(doubtful.total);
  expect(await counted('in_doubt')).toBe(doubtful.total);
  const customers = customerListRoutes({ db: room.db, rules: { approval: false } });
  const failing = (await customers['GET /admin/accounts']?.({
    query: { webhook: 'failing', limit: 100 },
  } as never)) as Reply<'GET /admin/accounts'>;
  expect(failing.accounts.length).toBeGreaterThan(0);
  expect(await counted('webhooks')).toBe(failing.accounts.length);
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

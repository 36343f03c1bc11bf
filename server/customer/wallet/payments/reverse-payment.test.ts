import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openTestWallet, webhookOf } from '../../../../test/wallet.ts';
import { changePaymentSetting } from '../auto-top-up/change-payment-setting.ts';
import { spend } from '../ledger/spend.ts';
import { readWallet } from '../store.ts';
import { chargeCard } from './charge-card.ts';
import { listPayments } from './payment-store.ts';
import { receiveProcessorEvent } from './receive-processor-event.ts';
import { reconcilePayments } from './reconcile-payments.ts';

const room = await openTestWallet();
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const { db, deps, provider } = room;
const USD = 1_000_000n;

const toppedUp = async (behaviour: 'good' | 'settles-slowly' = 'good') => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId, behaviour);
  const { id } = await chargeCard(deps, { accountId, cardId, amount: 10, idempotencyKey: undefined });
  return { accountId, cardId, id, chargeRef: provider.refOf(id) };
};
let serial = 0;
const refunded = (chargeRef: string, refundedMinor: bigint, eventId = `evt_refund_${++serial}`) =>
  receiveProcessorEvent(
    deps,
    ...webhookOf({ kind: 'refund', eventId, chargeRef, refundedMinor, currency: 'HKD' }),
  );
const disputed = (
  chargeRef: string,
  lost: boolean | undefined,
  { disputeRef = 'dp_1', disputedMinor = 7_800n } = {},
) =>
  receiveProcessorEvent(
    deps,
    ...webhookOf({
      kind: 'dispute',
      eventId: `evt_dispute_${++serial}`,
      chargeRef,
      disputeRef,
      disputedMinor,
      currency: 'HKD',
      lost,
    }),
  );
const lostBy = async (accountId: AccountId): Promise<bigint> => {
  const { rows } = await sql<{ lost: bigint }>`
    select coalesce(-sum(amount_micros), 0)::bigint as lost from ledger_postings
    where account_id = ${accountId} and ledger = 'LOSSES'`.execute(db);
  return rows[0]?.lost ?? 0n;
};
const history = async (accountId: AccountId) =>
  (await listPayments(db, { accountId, before: undefined, limit: 10 })).map(
    ({ type, status, amountMicros }) => ({
      type,
      status,
      amountMicros,
    }),
  );

test('a refund at the provider takes its dollars back from the balance, once', async () => {
  const { accountId, chargeRef } = await toppedUp();
  await refunded(chargeRef, 1_950n, 'evt_same');
  await refunded(chargeRef, 1_950n, 'evt_same');
  await refunded(chargeRef, 1_950n);
  expect(await room.balance(accountId)).toBe(7_500_000n);
  expect(await history(accountId)).toEqual([
    { type: 'REFUND', status: 'SUCCESS', amountMicros: 2_500_000n },
    { type: 'TOP_UP', status: 'SUCCESS', amountMicros: 10n * USD },
  ]);
});

test('refunds in parts and out of order come to exactly what was credited', async () => {
  const { accountId, chargeRef } = await toppedUp();
  for (const total of [1n, 3_333n, 2n, 7_800n, 5_000n]) await refunded(chargeRef, total);
  expect(await room.balance(accountId)).toBe(0n);
  expect(await lostBy(accountId)).toBe(0n);
});

test('what the balance no longer covers is our loss', async () => {
  const { accountId, chargeRef } = await toppedUp();
  await spend(deps, { accountId, amountMicros: 8n * USD, cause: 'batch:1' });
  await refunded(chargeRef, 7_800n);
  expect(await room.balance(accountId)).toBe(0n);
  expect(await lostBy(accountId)).toBe(8n * USD);
});

test('a dispute takes the money at once; a dispute that is won brings it back', async () => {
  const { accountId, chargeRef } = await toppedUp();
  await spend(deps, { accountId, amountMicros: 4n * USD, cause: 'batch:1' });
  await disputed(chargeRef, undefined);
  expect(await room.balance(accountId)).toBe(0n);
  expect(await lostBy(accountId)).toBe(4n * USD);
  await disputed(chargeRef, false);
  await disputed(chargeRef, false);
  expect(await room.balance(accountId)).toBe(6n * USD);
  expect(await lostBy(accountId)).toBe(0n);
  expect(await history(accountId)).toMatchObject([{ type: 'DISPUTE', status: 'FAILED' }, { type: 'TOP_UP' }]);
});

test('a charge that is disputed again after a dispute was won is taken again', async () => {
  const { accountId, chargeRef } = await toppedUp();
  await disputed(chargeRef, undefined);
  await disputed(chargeRef, false);
  expect(await room.balance(accountId)).toBe(10n * USD);
  const second = { disputeRef: 'dp_2' };
  await disputed(chargeRef, undefined, second);
  await disputed(chargeRef, undefined, second);
  expect(await room.balance(accountId)).toBe(0n);
  await disputed(chargeRef, true, second);
  // A late repeat of the first moves nothing.
  await disputed(chargeRef, false);
  expect(await room.balance(accountId)).toBe(0n);
  expect(await history(accountId)).toMatchObject([
    { type: 'DISPUTE', status: 'SUCCESS' },
    { type: 'DISPUTE', status: 'FAILED' },
    { type: 'TOP_UP' },
  ]);
});

test('of two disputes about parts of a charge, each takes and brings back its own', async () => {
  const { accountId, chargeRef } = await toppedUp();
  const [one, two] = ['dp_a', 'dp_b'].map((disputeRef) => ({ disputeRef, disputedMinor: 3_900n }));
  await disputed(chargeRef, undefined, one);
  await disputed(chargeRef, undefined, two);
  expect(await room.balance(accountId)).toBe(0n);
  await disputed(chargeRef, false, one);
  expect(await room.balance(accountId)).toBe(5n * USD);
  await disputed(chargeRef, true, two);
  expect(await room.balance(accountId)).toBe(5n * USD);
});

test('a dispute whose end is told before its opening stays ended', async () => {
  const won = await toppedUp();
  await disputed(won.chargeRef, false);
  await disputed(won.chargeRef, undefined);
  expect(await room.balance(won.accountId)).toBe(10n * USD);
  const lost = await toppedUp();
  await disputed(lost.chargeRef, true);
  await disputed(lost.chargeRef, undefined);
  expect(await room.balance(lost.accountId)).toBe(0n);
  expect(await history(lost.accountId)).toMatchObject([{ type: 'DISPUTE', status: 'SUCCESS' }, {}]);
});

test('a refund and a dispute of one charge never take more than was credited', async () => {
  const { accountId, chargeRef } = await toppedUp();
  await refunded(chargeRef, 3_900n);
  await disputed(chargeRef, true);
  expect(await room.balance(accountId)).toBe(0n);
  expect(await lostBy(accountId)).toBe(0n);
});

test('a refund that is told before the charge waits for it', async () => {
  const { accountId, id, chargeRef } = await toppedUp('settles-slowly');
  await refunded(chargeRef, 7_800n);
  expect(await room.balance(accountId)).toBe(0n);
  await receiveProcessorEvent(
    deps,
    ...webhookOf({
      kind: 'charge',
      eventId: 'evt_late',
      paymentId: id,
      charge: provider.settle(id, 'succeeded'),
    }),
  );
  expect(await room.balance(accountId)).toBe(10n * USD);
  await reconcilePayments(deps);
  expect(await room.balance(accountId)).toBe(0n);
});

test('a refund in another currency than the charge is an alarm and moves nothing', async () => {
  const { accountId, chargeRef } = await toppedUp();
  const before = room.alarms.length;
  await receiveProcessorEvent(
    deps,
    ...webhookOf({ kind: 'refund', eventId: 'evt_usd', chargeRef, refundedMinor: 1_000n, currency: 'USD' }),
  );
  expect(await room.balance(accountId)).toBe(10n * USD);
  expect(room.alarms.length).toBe(before + 1);
});

test('a disputed card is no longer topped up from automatically, and a reversal starts no charge', async () => {
  const { accountId, cardId, chargeRef } = await toppedUp();
  await changePaymentSetting(deps, accountId, {
    autoCharge: true,
    autoChargeAmount: 10,
    cardId,
    autoChargeThreshold: 9,
  });
  await refunded(chargeRef, 3_900n);
  expect(room.jobs.filter(({ name }) => name === 'wallet.auto-top-up')).toEqual([]);
  await disputed(chargeRef, undefined);
  expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: false, autoChargeStopped: 'DISPUTED' });
});

test('an event that waited for a week is dropped with a warning, once; old ones are forgotten', async () => {
  await refunded('ch_nobody', 1n, 'evt_nobody');
  const dropped = () =>
    room.warnings.filter(({ facts }) => 'eventId' in facts && facts.eventId === 'evt_nobody');
  const kept = async () =>
    (await sql`select from processor_events where event_id = 'evt_nobody'`.execute(db)).rows.length;
  await reconcilePayments(deps);
  expect(dropped()).toEqual([]);
  await sql`update processor_events set received_at = now() - interval '8 days'
    where event_id = 'evt_nobody'`.execute(db);
  await reconcilePayments(deps);
  await reconcilePayments(deps);
  expect(dropped()).toHaveLength(1);
  await room.runTask('wallet.prune-events');
  expect(await kept()).toBe(1);
  await sql`update processor_events set processed_at = now() - interval '91 days'
    where event_id = 'evt_nobody'`.execute(db);
  await room.runTask('wallet.prune-events');
  expect(await kept()).toBe(0);
});

test('a refund that did not reach the card is an alarm', async () => {
  const { accountId, chargeRef } = await toppedUp();
  const before = room.alarms.length;
  await receiveProcessorEvent(
    deps,
    ...webhookOf({ kind: 'refund-failed', eventId: 'evt_refund_failed', chargeRef }),
  );
  expect(room.alarms.slice(before)).toEqual([{ eventId: 'evt_refund_failed', chargeRef }]);
  expect(await room.balance(accountId)).toBe(10n * USD);
});

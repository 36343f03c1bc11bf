import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import { openTestWallet, webhookOf } from '../../../../test/wallet.ts';
import { spend } from '../ledger/spend.ts';
import { readWallet } from '../store.ts';
import { chargeCard } from './charge-card.ts';
import { comparePayment } from './compare-payment.ts';
import { listPayments, readPayment } from './payment-store.ts';
import { receiveProcessorEvent } from './receive-processor-event.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { refundPayment } from './refund-payment.ts';

const room = await openTestWallet();
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const { db, deps, provider } = room;
const admin = await room.funded();
beforeEach(() => {
  provider.refunding.behaviour = 'made';
});

/** USD 10 for HKD 78. */
const toppedUp = async (behaviour: 'good' | 'settles-slowly' = 'good') => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId, behaviour);
  const before = (await readWallet(db, accountId)).balanceMicros;
  const { id } = await chargeCard(deps, { accountId, cardId, amount: 10, idempotencyKey: undefined });
  return { accountId, before, id, chargeRef: provider.refOf(id) };
};
const refund = (
  paymentId: PaymentId,
  over: { amount?: number; reason?: string; idempotencyKey?: string } = {},
) =>
  refundPayment(deps, {
    paymentId,
    amount: over.amount,
    reason: over.reason ?? 'ordered twice',
    by: admin,
    idempotencyKey: over.idempotencyKey ?? randomUUID(),
  });
const balance = async (accountId: AccountId) => (await readWallet(db, accountId)).balanceMicros;
const lines = async (accountId: AccountId) =>
  (await listPayments(db, { accountId, before: undefined, limit: 10 })).map(({ type, chargeMinor }) => [
    type,
    chargeMinor,
  ]);

test('a refund goes back to the card and is taken from the balance, in parts and to the end', async () => {
  const { accountId, before, id } = await toppedUp();
  expect(await refund(id, { amount: 39 })).toMatchObject({ state: 'DONE', amountMinor: 3_900n });
  expect(await balance(accountId)).toBe(before + 5_000_000n);
  await expect(refund(id, { amount: 39.01 })).rejects.toMatchObject({
    code: 'E_REFUND_TOO_MUCH',
    params: { left: 'HKD 39.00' },
  });
  expect(await refund(id)).toMatchObject({ state: 'DONE', amountMinor: 3_900n });
  expect(await balance(accountId)).toBe(before);
  expect(await lines(accountId)).toEqual([
    ['REFUND', 3_900n],
    ['REFUND', 3_900n],
    ['TOP_UP', 7_800n],
  ]);
  await expect(refund(id)).rejects.toMatchObject({ code: 'E_NOT_REFUNDABLE' });
});

test('the report of the provider, before or after the answer, moves nothing twice', async () => {
  const { accountId, before, id, chargeRef } = await toppedUp();
  provider.refunding.behaviour = 'loses-reply';
  const idempotencyKey = 'one';
  expect(await refund(id, { amount: 39, idempotencyKey })).toMatchObject({ state: 'ASKED' });
  const report = () =>
    receiveProcessorEvent(
      deps,
      ...webhookOf({
        kind: 'refund',
        eventId: randomUUID(),
        chargeRef,
        refundedMinor: 3_900n,
        currency: 'HKD',
      }),
    );
  await report();
  expect(await balance(accountId)).toBe(before + 5_000_000n);
  provider.refunding.behaviour = 'made';
  expect(await refund(id, { amount: 39, idempotencyKey })).toMatchObject({ state: 'DONE' });
  await report();
  expect(await balance(accountId)).toBe(before + 5_000_000n);
  expect(await lines(accountId)).toHaveLength(2);
  await expect(refund(id, { amount: 1, idempotencyKey })).rejects.toMatchObject({
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
});

test('a refund whose answer was lost is finished later, and no other is begun meanwhile', async () => {
  const { accountId, before, id } = await toppedUp();
  provider.refunding.behaviour = 'unreachable';
  expect(await refund(id)).toMatchObject({ state: 'ASKED' });
  await expect(refund(id)).rejects.toMatchObject({ code: 'E_REFUND_RUNNING' });
  provider.refunding.behaviour = 'made';
  await sql`update payment_refunds set created_at = now() - interval '1 minute'`.execute(db);
  await Promise.all([reconcilePayments(deps), reconcilePayments(deps)]);
  expect(await balance(accountId)).toBe(before);
  expect(await lines(accountId)).toHaveLength(2);
});

test('what is on its way back to a card is not spent meanwhile, and a dispute takes only the rest', async () => {
  const { accountId, before, id, chargeRef } = await toppedUp();
  provider.refunding.behaviour = 'unreachable';
  const idempotencyKey = 'held';
  expect(await refund(id, { amount: 39, idempotencyKey })).toMatchObject({ state: 'ASKED' });
  expect(await balance(accountId)).toBe(before + 5_000_000n);
  const buy = (amountMicros: bigint) =>
    db
      .transaction()
      .execute((trx) =>
        spend(
          { db: trx, queue: deps.queue },
          { accountId, amountMicros, cause: `batch:${randomUUID()}`, details: {} },
        ),
      );
  await expect(buy(before + 5_000_001n)).rejects.toThrow();
  await receiveProcessorEvent(
    deps,
    ...webhookOf({
      kind: 'dispute',
      eventId: randomUUID(),
      chargeRef,
      disputeRef: 'dp_1',
      disputedMinor: 3_900n,
      currency: 'HKD',
      lost: undefined,
    }),
  );
  expect(await balance(accountId)).toBe(before);
  provider.refunding.behaviour = 'made';
  expect(await refund(id, { amount: 39, idempotencyKey })).toMatchObject({ state: 'DONE' });
  expect(await balance(accountId)).toBe(before);
  expect(await readPayment(db, id)).toMatchObject({ reversedMicros: 10_000_000n, lostMicros: 0n });
});

test('clicked at the same time it is made once', async () => {
  const { accountId, before, id } = await toppedUp();
  const outcomes = await Promise.allSettled([refund(id), refund(id), refund(id)]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await balance(accountId)).toBe(before);
});

test('what the provider refuses moves nothing and may be tried again', async () => {
  const { accountId, before, id } = await toppedUp();
  provider.refunding.behaviour = 'refused';
  await expect(refund(id)).rejects.toMatchObject({
    code: 'E_REFUND_REFUSED',
    params: { reason: 'The card is closed.' },
  });
  expect(await balance(accountId)).toBe(before + 10_000_000n);
  provider.refunding.behaviour = 'made';
  expect(await refund(id)).toMatchObject({ state: 'DONE' });
});

test('money that was spent is not given back', async () => {
  const { accountId, before, id } = await toppedUp();
  await db
    .transaction()
    .execute((trx) =>
      spend(
        { db: trx, queue: deps.queue },
        { accountId, amountMicros: before + 6_000_000n, cause: 'batch:spent', details: {} },
      ),
    );
  await expect(refund(id)).rejects.toMatchObject({ code: 'E_REFUND_SPENT', params: { balance: '4.00' } });
  expect(await refund(id, { amount: 31.2 })).toMatchObject({ state: 'DONE' });
  expect(await balance(accountId)).toBe(0n);
});

test('what the provider gave back less than is booked here is told, and nothing is changed', async () => {
  const { accountId, before, id } = await toppedUp();
  await refund(id, { amount: 39 });
  provider.charges.get(id)?.refunds.clear();
  expect((await comparePayment(deps, id)).outcome).toBe('differs');
  expect(await balance(accountId)).toBe(before + 5_000_000n);
});

test.each([
  ['without a reason', { reason: ' ' }, 'E_REASON_EMPTY'],
  ['of nothing', { amount: 0 }, 'E_AMOUNT_ZERO'],
  ['of less than nothing', { amount: -1 }, 'E_AMOUNT_NEGATIVE'],
  ['of parts of a cent', { amount: 0.001 }, 'E_AMOUNT_NOT_CENTS'],
  ['of more than was charged', { amount: 78.01 }, 'E_AMOUNT_TOO_LARGE'],
])('a refund %s is refused', async (_, over, code) => {
  const { id } = await toppedUp();
  await expect(refund(id, over)).rejects.toMatchObject({ code });
});

test('a payment that is not paid yet, or is itself a refund, has nothing to give back', async () => {
  const { id } = await toppedUp('settles-slowly');
  await expect(refund(id)).rejects.toMatchObject({ code: 'E_NOT_REFUNDABLE' });
  const paid = await toppedUp();
  await refund(paid.id);
  const [line] = await listPayments(db, { accountId: paid.accountId, before: undefined, limit: 1 });
  await expect(refund(line?.id as PaymentId)).rejects.toMatchObject({ code: 'E_NOT_REFUNDABLE' });
  await expect(refund(randomUUID() as PaymentId)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
});

test('compared with the provider, what it knows more is taken over', async () => {
  const { accountId, before, id, chargeRef } = await toppedUp('settles-slowly');
  const compared = async () => (await comparePayment(deps, id)).outcome;
  expect(await compared()).toBe('agrees');
  provider.settle(id, 'succeeded');
  expect(await compared()).toBe('changed');
  expect(await balance(accountId)).toBe(before + 10_000_000n);
  expect(await compared()).toBe('agrees');
  // Made at the provider, and its report was lost.
  provider.charges.get(id)?.refunds.set('elsewhere', 1_560n);
  expect(await compared()).toBe('changed');
  expect(await balance(accountId)).toBe(before + 8_000_000n);
  expect((await readPayment(db, id))?.chargeRef).toBe(chargeRef);
  provider.charges.delete(id);
  expect(await compared()).toBe('differs');
  expect(await balance(accountId)).toBe(before + 8_000_000n);
});

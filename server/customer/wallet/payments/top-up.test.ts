import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { CardId, PaymentId } from '../../../../contract/customer/wallet.ts';
import { openTestWallet, webhookOf } from '../../../../test/wallet.ts';
import { changePaymentSetting } from '../auto-top-up/change-payment-setting.ts';
import { REASONS } from '../auto-top-up/reasons.ts';
import type { ProcessorEvent } from '../card-processor.ts';
import { removeCard } from '../cards/remove-card.ts';
import { closeWallet } from '../close-wallet.ts';
import { paymentView } from '../views.ts';
import { chargeCard } from './charge-card.ts';
import { listPayments, readPayment } from './payment-store.ts';
import { receiveProcessorEvent } from './receive-processor-event.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { refreshPayment } from './refresh-payment.ts';
import { settlePayment } from './settle-payment.ts';

const room = await openTestWallet();
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const { db, deps, provider } = room;
const USD = 1_000_000n;

const charge = (
  accountId: AccountId,
  cardId: CardId,
  more: { amount?: string | number; idempotencyKey?: string } = {},
) => chargeCard(deps, { accountId, cardId, amount: 10, idempotencyKey: undefined, ...more });
const creditsOf = async (accountId: AccountId): Promise<number> => {
  const { rows } =
    await sql`select from ledger_entries where account_id = ${accountId} and kind = 'TOP_UP'`.execute(db);
  return rows.length;
};
const receive = (event: ProcessorEvent) => receiveProcessorEvent(deps, ...webhookOf(event));
const succeeded = (paymentId: PaymentId, eventId: string): ProcessorEvent => ({
  kind: 'charge',
  eventId,
  paymentId,
  charge: { state: 'succeeded', chargeRef: provider.refOf(paymentId) },
});
const failed = (paymentId: PaymentId, eventId: string): ProcessorEvent => ({
  kind: 'charge',
  eventId,
  paymentId,
  charge: { state: 'failed', chargeRef: provider.refOf(paymentId), reason: 'Declined.', cardGone: false },
});
const age = (paymentId: PaymentId, seconds: number) =>
  sql`update payments set created_at = now() - make_interval(secs => ${seconds}) where id = ${paymentId}`.execute(
    db,
  );

test('a good card is charged in the settlement currency and credits exactly the dollars asked for', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const inHkd = await charge(accountId, cardId, { amount: '12.34' });
  expect(inHkd).toMatchObject({ status: 'SUCCESS', currency: 'HKD', chargeMinor: 9_625n });
  await changePaymentSetting(deps, accountId, { currency: 'USD' });
  const inUsd = await charge(accountId, cardId, { amount: 10 });
  expect(inUsd).toMatchObject({ status: 'SUCCESS', currency: 'USD', chargeMinor: 1_000n });
  expect(await room.balance(accountId)).toBe(22_340_000n);
});

test('a declined card leaves the balance unchanged and tells the reason', async () => {
  const accountId = await room.funded();
  const payment = await charge(accountId, await room.addCard(accountId, 'declines'));
  expect(payment).toMatchObject({ status: 'FAILED', reason: 'wallet.decline.declined' });
  expect(paymentView('en_US', payment).reason).toBe('Your card was declined.');
  expect(paymentView('zh_HK', payment).reason).toBe('你的信用卡被拒。');
  expect(await room.balance(accountId)).toBe(0n);
});

test.each([
  [0, 'E_AMOUNT_ZERO'],
  ['0.00', 'E_AMOUNT_ZERO'],
  [-20, 'E_AMOUNT_NEGATIVE'],
  ['1,000', 'E_AMOUNT_COMMA'],
  ['10,50', 'E_AMOUNT_COMMA'],
  ['12.123456789012', 'E_AMOUNT_NOT_CENTS'],
  [0.1 + 10.2, 'E_AMOUNT_NOT_CENTS'],
  ['$20', 'E_AMOUNT_INVALID'],
  ['', 'E_AMOUNT_INVALID'],
  ['1e3', 'E_AMOUNT_INVALID'],
  [Number.NaN, 'E_AMOUNT_INVALID'],
  [6.4, 'E_AMOUNT_TOO_SMALL'],
  ['10000.01', 'E_AMOUNT_TOO_LARGE'],
  ['99999999999999999999999', 'E_AMOUNT_TOO_LARGE'],
])('an amount of %s is refused with %s and charges nobody', async (amount, code) => {
  const accountId = await room.funded();
  const before = provider.charges.size;
  await expect(charge(accountId, await room.addCard(accountId), { amount })).rejects.toMatchObject({ code });
  expect(provider.charges.size).toBe(before);
});

test("another account's card is not known", async () => {
  const [one, other] = [await room.funded(), await room.funded()];
  const cardId = await room.addCard(one);
  await expect(charge(other, cardId)).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
});

test('a card whose account is being closed as the charge begins is not charged', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const before = provider.charges.size;
  let charging: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await closeWallet({ ...deps, db: trx }, accountId);
    charging = expect(charge(accountId, cardId)).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
    await expect
      .poll(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows.length;
      })
      .toBe(1);
  });
  await charging;
  expect(provider.charges.size).toBe(before);
  expect(await listPayments(db, { accountId, before: undefined, limit: 1 })).toEqual([]);
});

test('a repeated idempotency key charges once and gets the first answer, even at the same moment', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const before = provider.charges.size;
  const all = await Promise.all(
    Array.from({ length: 10 }, () => charge(accountId, cardId, { idempotencyKey: 'once' })),
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  expect(provider.charges.size).toBe(before + 1);
  expect((await charge(accountId, cardId, { idempotencyKey: 'once' })).status).toBe('SUCCESS');
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('an idempotency key with another amount or card is refused', async () => {
  const accountId = await room.funded();
  const [cardId, other] = [await room.addCard(accountId), await room.addCard(accountId)];
  await charge(accountId, cardId, { idempotencyKey: 'k' });
  const reused = { code: 'E_IDEMPOTENCY_KEY_REUSED' };
  await expect(charge(accountId, cardId, { idempotencyKey: 'k', amount: 11 })).rejects.toMatchObject(reused);
  await expect(charge(accountId, other, { idempotencyKey: 'k' })).rejects.toMatchObject(reused);
});

test('a declined charge answers the same when its key is repeated', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId, 'declines');
  const first = await charge(accountId, cardId, { idempotencyKey: 'd' });
  expect(await charge(accountId, cardId, { idempotencyKey: 'd' })).toEqual(first);
});

test('a reason that has no code comes in the words of the provider', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'settles-slowly'));
  await receive(failed(id, 'evt_words'));
  expect(await readPayment(db, id)).toMatchObject({ status: 'FAILED', reason: 'Declined.' });
});

test('a repeated key gets the first answer also when the card is gone or the minimum has risen since', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const topUp = { accountId, cardId, amount: 10, idempotencyKey: 'later' };
  const first = await chargeCard(deps, topUp);
  expect(await chargeCard({ ...deps, hkdPerUsd: '1' }, { ...topUp, amount: '10.00' })).toEqual(first);
  await removeCard(deps, accountId, cardId);
  expect(await chargeCard(deps, topUp)).toEqual(first);
  await expect(chargeCard(deps, { ...topUp, amount: 11 })).rejects.toMatchObject({
    code: 'E_IDEMPOTENCY_KEY_REUSED',
  });
  await expect(chargeCard(deps, { ...topUp, idempotencyKey: 'new' })).rejects.toMatchObject({
    code: 'E_CARD_UNKNOWN',
  });
});

test('the same webhook a hundred times, and out of order, is one credit', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'settles-slowly'));
  const events = Array.from({ length: 100 }, (_, at) => [
    succeeded(id, 'evt_one'),
    succeeded(id, `evt_${at}`),
    failed(id, `evt_failed_${at}`),
    {
      kind: 'charge' as const,
      eventId: `evt_pending_${at}`,
      paymentId: id,
      charge: { state: 'pending' as const, chargeRef: provider.refOf(id) },
    },
  ]).flat();
  await receive(failed(id, 'evt_early'));
  await Promise.all(events.map(receive));
  expect(await readPayment(db, id)).toMatchObject({ status: 'SUCCESS', reason: '' });
  expect(await creditsOf(accountId)).toBe(1);
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('the direct reply, the webhook and the reconcile task at the same moment are one credit', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'settles-slowly'));
  const state = provider.settle(id, 'succeeded');
  await age(id, 60);
  await Promise.all([
    settlePayment(deps, id, state),
    receive(succeeded(id, 'evt_race')),
    reconcilePayments(deps),
    refreshPayment(deps, accountId, id),
  ]);
  expect(await creditsOf(accountId)).toBe(1);
});

test('a payment that failed still becomes a success when the money was taken after all', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'declines'));
  await receive(succeeded(id, 'evt_after_all'));
  expect(await readPayment(db, id)).toMatchObject({ status: 'SUCCESS', reason: '' });
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('a webhook with a wrong signature or of a payment that is not ours changes nothing', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'settles-slowly'));
  const [body] = webhookOf(succeeded(id, 'evt_forged'));
  expect(await receiveProcessorEvent(deps, body, { signature: 'wrong' })).toBe('bad-signature');
  expect(await room.balance(accountId)).toBe(0n);
  expect(await receive(succeeded(crypto.randomUUID() as PaymentId, 'evt_not_ours'))).toBe('ok');
});

test('a charge whose reply was lost is found again, not repeated', async () => {
  const accountId = await room.funded();
  const payment = await charge(accountId, await room.addCard(accountId, 'loses-reply'));
  expect(payment.status).toBe('PENDING');
  const before = provider.charges.size;
  await age(payment.id, 60);
  await reconcilePayments(deps);
  await reconcilePayments(deps);
  expect(await readPayment(db, payment.id)).toMatchObject({ status: 'SUCCESS' });
  expect(provider.charges.size).toBe(before);
  expect(await creditsOf(accountId)).toBe(1);
});

test('a charge that never reached the provider fails after an hour, not before, and is not repeated', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'unreachable'));
  await age(id, 3_000);
  await reconcilePayments(deps);
  expect(await readPayment(db, id)).toMatchObject({ status: 'PENDING' });
  await age(id, 3_700);
  await reconcilePayments(deps);
  expect(await readPayment(db, id)).toMatchObject({ status: 'FAILED', reason: REASONS.neverSeen });
  expect(provider.charges.has(id)).toBe(false);
});

test('a card holder who is asked for authentication has an hour', async () => {
  const accountId = await room.funded();
  const payment = await charge(accountId, await room.addCard(accountId, 'authenticates'));
  expect(payment).toMatchObject({ status: 'PENDING', clientSecret: `secret_${payment.id}` });
  await age(payment.id, 120);
  await reconcilePayments(deps);
  expect(await readPayment(db, payment.id)).toMatchObject({ status: 'PENDING' });
  await age(payment.id, 3_700);
  await reconcilePayments(deps);
  expect(await readPayment(db, payment.id)).toMatchObject({
    status: 'FAILED',
    reason: REASONS.notAuthenticated,
    clientSecret: null,
  });
});

test('after authentication the refresh settles the payment', async () => {
  const accountId = await room.funded();
  const { id } = await charge(accountId, await room.addCard(accountId, 'authenticates'));
  provider.settle(id, 'succeeded');
  expect(await refreshPayment(deps, accountId, id)).toMatchObject({ status: 'SUCCESS', clientSecret: null });
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test("another account's payment can not be refreshed", async () => {
  const [one, other] = [await room.funded(), await room.funded()];
  const { id } = await charge(one, await room.addCard(one, 'settles-slowly'));
  await expect(refreshPayment(deps, other, id)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
});

test('a receipt is mailed once, and only to accounts that receive email', async () => {
  const [one, other] = [await room.funded(), await room.funded()];
  await sql`update accounts set receive_email = false where id = ${other}`.execute(db);
  await room.work();
  const { id } = await charge(one, await room.addCard(one));
  await charge(other, await room.addCard(other));
  await settlePayment(deps, id, { state: 'succeeded', chargeRef: provider.refOf(id) });
  const mails = await room.work();
  expect(mails).toHaveLength(1);
  expect(mails[0]?.subject).toBe('Receipt: USD 10.00 topped up');
  expect(mails[0]?.text).toContain('HKD 78.00 was charged to Visa •••• 4242.');
});

import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import { type Behaviour, openTestWallet, webhookOf } from '../../../../test/wallet.ts';
import { openDatabase } from '../../../ground/postgres/index.ts';
import { openQueue } from '../../../ground/queue/index.ts';
import { removeCard } from '../cards/remove-card.ts';
import { adjust } from '../ledger/adjust.ts';
import { spend } from '../ledger/spend.ts';
import { chargeCard } from '../payments/charge-card.ts';
import { listPayments, readPayment } from '../payments/payment-store.ts';
import { paymentTimeline } from '../payments/payment-timeline.ts';
import { receiveProcessorEvent } from '../payments/receive-processor-event.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { readWallet } from '../store.ts';
import { suspend } from '../suspend.ts';
import { walletTasks } from '../tasks.ts';
import { paymentSettingView } from '../views.ts';
import { runAutoTopUp } from './auto-top-up.ts';
import { changePaymentSetting } from './change-payment-setting.ts';
import { REASONS } from './reasons.ts';

const room = await openTestWallet();
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const { db, deps, provider } = room;
const USD = 1_000_000n;
let serial = 0;

const automatic = async (
  behaviour: Behaviour,
  {
    dollars = 6,
    amount = 10,
    ...more
  }: { dollars?: number; amount?: number; autoChargeDailyCap?: number } = {},
) => {
  const accountId = await room.funded(dollars);
  const cardId = await room.addCard(accountId, behaviour);
  await changePaymentSetting(deps, accountId, {
    autoCharge: true,
    autoChargeAmount: amount,
    cardId,
    ...more,
  });
  await room.work();
  return { accountId, cardId };
};
const use = (accountId: AccountId, amountMicros: bigint) =>
  spend(deps, { accountId, amountMicros, cause: `batch:${++serial}` });
const topUps = async (accountId: AccountId) =>
  (await listPayments(db, { accountId, before: undefined, limit: 50 })).filter(
    ({ type }) => type === 'AUTO_TOP_UP',
  );
/** The mails that a payment's story tells of. */
const mailsIn = async (paymentId: PaymentId) => {
  const payment = await readPayment(db, paymentId);
  if (!payment) throw new Error('no payment');
  const steps = await paymentTimeline(db, payment, { language: 'en_US', nameOf: async () => '' });
  return steps.filter(({ kind }) => kind === 'mail').map(({ title }) => title);
};
/** The pause after a decline is over. */
const waitPause = (accountId: AccountId) =>
  sql`update wallets set auto_charge_next_at = now() where account_id = ${accountId}`.execute(db);

test('a spend that leaves the balance below the threshold tops it up, one that does not does not', async () => {
  const { accountId } = await automatic('good');
  await use(accountId, USD);
  await room.work();
  expect(await room.balance(accountId)).toBe(5n * USD);
  await use(accountId, 1n);
  const mails = await room.work();
  expect(await room.balance(accountId)).toBe(15n * USD - 1n);
  expect(mails.map(({ subject }) => subject)).toEqual(['Receipt: USD 10.00 topped up']);
  expect(mails[0]?.text).toContain('automatically');
});

test('32 spends at once from two pools start one top-up, and a pending one counts', async () => {
  const { accountId } = await automatic('settles-slowly', { dollars: 40 });
  const other = openDatabase({ url: room.url, max: 8, onError: () => {} });
  const spendAll = (from: number) =>
    Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        spend(
          { db: at % 2 ? db : other.db, queue: deps.queue },
          { accountId, amountMicros: 1_200_000n, cause: `many:${from + at}` },
        ),
      ),
    );
  await Promise.all([spendAll(0), spendAll(16)]);
  // Many processes may run the same task, and some run it twice.
  await Promise.all([
    room.work(),
    ...Array.from({ length: 16 }, (_, at) =>
      runAutoTopUp({ ...deps, db: at % 2 ? db : other.db }, accountId),
    ),
  ]);
  await use(accountId, 100_000n);
  await room.work();
  await reconcilePayments(deps);
  await other.close();
  expect(await topUps(accountId)).toHaveLength(1);
  expect(
    [...provider.charges.values()].filter(({ request }) => request.accountId === accountId),
  ).toHaveLength(1);
});

test('a suspended account is not charged, and a restored one is', async () => {
  const { accountId } = await automatic('good');
  await use(accountId, 2n * USD);
  await suspend(deps, { accountId, reason: 'spam' });
  // Once by the task that the spend enqueued, once by what finds top-ups that are due.
  await room.work();
  await reconcilePayments(deps);
  await room.work();
  expect(await topUps(accountId)).toEqual([]);
  expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: true, autoChargeStopped: '' });
  await suspend(deps, { accountId, reason: null });
  await reconcilePayments(deps);
  await room.work();
  expect(await topUps(accountId)).toMatchObject([{ status: 'SUCCESS' }]);
});

test('the database itself refuses a second pending one', async () => {
  const { accountId } = await automatic('settles-slowly');
  await use(accountId, 2n * USD);
  await room.work();
  await expect(
    sql`insert into payments (account_id, type, status, amount_micros, currency, charge_minor, card_id, processor)
      select account_id, type, status, amount_micros, currency, charge_minor, card_id, processor
      from payments where account_id = ${accountId}`.execute(db),
  ).rejects.toThrow('payments_one_auto_top_up');
});

test('work that the queue lost is taken up by the reconcile task', async () => {
  const { accountId } = await automatic('good');
  await use(accountId, 2n * USD);
  room.jobs.length = 0;
  await reconcilePayments(deps);
  expect(await topUps(accountId)).toEqual([]);
  await sql`update wallets set auto_charge_asked_at = now() - interval '2 minutes'
    where account_id = ${accountId}`.execute(db);
  await reconcilePayments(deps);
  expect(await room.balance(accountId)).toBe(14n * USD);
});

test('three declines in a row turn it off, say so by mail and in the profile', async () => {
  const { accountId } = await automatic('declines');
  const subjects: string[] = [];
  for (let round = 0; round < 5; round++) {
    await use(accountId, round === 0 ? 2n * USD : 100_000n);
    subjects.push(...(await room.work()).map(({ subject }) => subject));
    await waitPause(accountId);
  }
  expect(subjects).toEqual([
    'Automatic top-up failed',
    'Automatic top-up failed',
    'Automatic top-up was turned off',
  ]);
  expect(await topUps(accountId)).toHaveLength(3);
  expect(paymentSettingView('en_US', await readWallet(db, accountId))).toMatchObject({
    autoCharge: false,
    autoChargeStopped: 'The last payment failed: Your card was declined.',
  });
  const told = await Promise.all((await topUps(accountId)).map(({ id }) => mailsIn(id)));
  expect(told.flat().toSorted()).toEqual([
    'Email sent: automatic top-up was turned off',
    'Email sent: the automatic top-up was declined',
    'Email sent: the automatic top-up was declined',
  ]);
});

test('after a decline the next try waits for the pause, and a success forgets the declines', async () => {
  const { accountId, cardId } = await automatic('declines');
  await use(accountId, 2n * USD);
  await room.work();
  await use(accountId, 100_000n);
  await room.work();
  expect(await topUps(accountId)).toHaveLength(1);
  const good = await room.addCard(accountId, 'good');
  await sql`update wallets set card_id = ${good}, auto_charge_next_at = null where account_id = ${accountId}`.execute(
    db,
  );
  await use(accountId, 100_000n);
  await room.work();
  expect(await readWallet(db, accountId)).toMatchObject({ autoChargeDeclines: 0, autoCharge: true });
  expect(cardId).not.toBe(good);
});

const refuse = (accountId: AccountId) =>
  expect(use(accountId, 100n * USD)).rejects.toMatchObject({ code: 'E_BALANCE_TOO_LOW' });
const reconcile = async () => {
  await reconcilePayments(deps);
  await room.work();
};

test('turned on with a balance that is low already, it tops up at once, and once', async () => {
  const accountId = await room.funded();
  const cardId = await room.addCard(accountId);
  const on = () => changePaymentSetting(deps, accountId, { autoCharge: true, autoChargeAmount: 10, cardId });
  await Promise.all([on(), on(), on()]);
  expect(room.jobs.filter(({ name }) => name === 'wallet.auto-top-up')).toHaveLength(1);
  await room.work();
  await reconcile();
  expect(await room.balance(accountId)).toBe(10n * USD);
  expect(await topUps(accountId)).toHaveLength(1);
});

test('turned on with a balance that suffices, it charges nobody', async () => {
  const { accountId } = await automatic('good', { dollars: 5 });
  await reconcile();
  expect(await topUps(accountId)).toEqual([]);
});

test('after a decline it is tried again by itself, though every spend is refused by now', async () => {
  const { accountId } = await automatic('declines');
  await use(accountId, 2n * USD);
  await room.work();
  await use(accountId, 4n * USD);
  await refuse(accountId);
  await reconcile();
  expect(await topUps(accountId)).toHaveLength(1);
  await waitPause(accountId);
  await Promise.all([reconcilePayments(deps), reconcilePayments(deps), reconcilePayments(deps)]);
  await room.work();
  expect(await topUps(accountId)).toHaveLength(2);
  await waitPause(accountId);
  await reconcile();
  await waitPause(accountId);
  await reconcile();
  expect(await topUps(accountId)).toHaveLength(3);
  expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: false });
});

test('when the day of a full cap is over it goes on by itself, though every spend is refused by now', async () => {
  const { accountId } = await automatic('good', { autoChargeDailyCap: 10 });
  await use(accountId, 2n * USD);
  await room.work();
  await use(accountId, 14n * USD);
  await room.work();
  await refuse(accountId);
  await reconcile();
  expect(await room.balance(accountId)).toBe(0n);
  await sql`update payments set created_at = created_at - interval '25 hours' where account_id = ${accountId}`.execute(
    db,
  );
  await waitPause(accountId);
  await reconcile();
  expect(await room.balance(accountId)).toBe(10n * USD);
});

test('a reversal or an adjustment that leaves the balance low charges nobody, then or later', async () => {
  const { accountId, cardId } = await automatic('good', { dollars: 0, amount: 10 });
  expect(await room.balance(accountId)).toBe(10n * USD);
  const [paid] = await topUps(accountId);
  await adjust(deps, { accountId, amount: -6, reason: 'test', by: accountId, idempotencyKey: undefined });
  await reconcile();
  await receiveProcessorEvent(
    deps,
    ...webhookOf({
      kind: 'refund',
      eventId: 'evt_refund_of_auto',
      chargeRef: paid?.chargeRef ?? '',
      refundedMinor: 7_800n,
      currency: 'HKD',
    }),
  );
  await reconcile();
  expect(await topUps(accountId)).toHaveLength(1);
  expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: true, cardId, balanceMicros: 0n });
});

test("another provider's pending top-up ends after an hour, and its card stops automatic top-up with a reason", async () => {
  const { accountId } = await automatic('settles-slowly');
  await use(accountId, 2n * USD);
  await room.work();
  const changed = { ...deps, processor: { ...deps.processor, name: 'sandbox' as const } };
  await reconcilePayments(changed);
  expect(await topUps(accountId)).toMatchObject([{ status: 'PENDING' }]);
  await sql`update payments set created_at = now() - interval '2 hours' where account_id = ${accountId}`.execute(
    db,
  );
  await reconcilePayments(changed);
  expect(await topUps(accountId)).toMatchObject([{ status: 'FAILED', reason: REASONS.otherProcessor }]);
  await waitPause(accountId);
  await reconcilePayments(changed);
  room.jobs.length = 0;
  await runAutoTopUp(changed, accountId);
  expect(await topUps(accountId)).toHaveLength(1);
  expect(paymentSettingView('en_US', await readWallet(db, accountId))).toMatchObject({
    autoCharge: false,
    autoChargeStopped:
      'The card belongs to another card provider than the one in use now. Add the card again.',
  });
  expect((await room.work()).map(({ subject }) => subject)).toEqual(['Your balance is low']);
});

test('a card that is gone turns it off at once', async () => {
  const { accountId } = await automatic('gone');
  await use(accountId, 2n * USD);
  // The mail about the low balance may come too: nothing tops it up any more.
  expect((await room.work()).map(({ subject }) => subject)).toContain('Automatic top-up was turned off');
  expect(await readWallet(db, accountId)).toMatchObject({ autoCharge: false });
});

test('a bank that asks for the card holder counts as a decline, with a clear mail', async () => {
  const { accountId } = await automatic('authenticates');
  await use(accountId, 2n * USD);
  const [mail] = await room.work();
  expect(mail?.text).toContain('confirm');
  expect(await topUps(accountId)).toMatchObject([{ status: 'FAILED' }]);
  expect(await readWallet(db, accountId)).toMatchObject({ autoChargeDeclines: 1 });
});

test('a charge that never reached the provider is no decline', async () => {
  const { accountId } = await automatic('unreachable');
  await use(accountId, 2n * USD);
  await room.work();
  await sql`update payments set created_at = now() - interval '2 hours' where account_id = ${accountId}`.execute(
    db,
  );
  await reconcilePayments(deps);
  expect(await topUps(accountId)).toMatchObject([{ status: 'FAILED' }]);
  expect(await readWallet(db, accountId)).toMatchObject({ autoChargeDeclines: 0, autoChargeAskedAt: null });
});

test('the daily cap holds, is told once, and ends with its day', async () => {
  const { accountId } = await automatic('good', { autoChargeDailyCap: 25 });
  const subjects: string[] = [];
  const burn = async () => {
    const balance = await room.balance(accountId);
    await use(accountId, balance > 2n * USD ? balance - 2n * USD : 100_000n);
    subjects.push(...(await room.work()).map(({ subject }) => subject));
  };
  for (let round = 0; round < 5; round++) await burn();
  expect(await topUps(accountId)).toHaveLength(2);
  expect(subjects.filter((subject) => subject.includes('daily cap'))).toHaveLength(1);
  await sql`update payments set created_at = created_at - interval '25 hours' where account_id = ${accountId}`.execute(
    db,
  );
  await waitPause(accountId);
  await burn();
  expect(await topUps(accountId)).toHaveLength(3);
});

test('removing its card turns it off and tells why', async () => {
  const { accountId, cardId } = await automatic('good');
  await removeCard(deps, accountId, cardId);
  expect(paymentSettingView('en_US', await readWallet(db, accountId))).toMatchObject({
    autoCharge: false,
    cardId: null,
    autoChargeStopped: 'The card was removed.',
  });
});

test('the queue is asked within the transaction of the spend: one that is undone asks for nothing', async () => {
  const { accountId } = await automatic('good');
  const queue = await openQueue({ url: room.url, worker: true, onError: () => {} });
  const tasks = walletTasks({ ...room.taskDeps, queue });
  await queue.declare(tasks);
  await queue.work(tasks);
  const spendThen = (end: () => void) =>
    db.transaction().execute(async (trx) => {
      await spend({ db: trx, queue }, { accountId, amountMicros: 2n * USD, cause: `batch:${++serial}` });
      end();
    });
  await expect(
    spendThen(() => {
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  expect(await readWallet(db, accountId)).toMatchObject({ autoChargeAskedAt: null, balanceMicros: 6n * USD });
  await spendThen(() => {});
  await expect.poll(() => room.balance(accountId)).toBe(14n * USD);
  await queue.stop(5_000);
  expect(await topUps(accountId)).toHaveLength(1);
});

test('a low balance is mailed once per crossing', async () => {
  const accountId = await room.funded(6);
  await room.work();
  const crossed = async (amountMicros: bigint) => {
    await use(accountId, amountMicros);
    return (await room.work()).map(({ subject }) => subject);
  };
  expect(await crossed(USD)).toEqual([]);
  expect(await crossed(1n)).toEqual(['Your balance is low']);
  expect(await crossed(USD)).toEqual([]);
  const cardId = await room.addCard(accountId);
  await chargeCard(deps, { accountId, cardId, amount: 10, idempotencyKey: undefined });
  await room.work();
  expect(await crossed(10n * USD)).toEqual(['Your balance is low']);
});

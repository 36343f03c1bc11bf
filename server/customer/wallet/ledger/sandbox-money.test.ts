import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { CardId, EntryId } from '../../../../contract/customer/wallet.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { listCards } from '../cards/card-store.ts';
import { chargeCard } from '../payments/charge-card.ts';
import { reversePayment } from '../payments/reverse-payment.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { readWallet } from '../store.ts';
import { captures } from './captures.ts';
import { endSandboxMoney } from './end-sandbox-money.ts';
import { recapture } from './recapture.ts';
import { refund } from './refund.ts';
import { spend } from './spend.ts';

const room = await openTestWallet();
const { db, deps } = room;
afterAll(async () => {
  expect(await room.differing()).toEqual([]);
  await room.close();
});
const USD = 1_000_000n;
const STRIPE = deps.processor;
const SANDBOX = { ...STRIPE, name: 'sandbox' as const };
afterEach(() => {
  deps.processor = STRIPE;
});

/** What a test card, or a real one, pays. */
const topUp = async (accountId: AccountId, dollars: number, processor = SANDBOX as typeof STRIPE) => {
  deps.processor = processor;
  const cardId: CardId = await room.addCard(accountId);
  const amount = String(dollars);
  const payment = await chargeCard(deps, { accountId, cardId, amount, idempotencyKey: undefined });
  deps.processor = STRIPE;
  return payment;
};
const parts = async (accountId: AccountId) => {
  const { balanceMicros, sandboxMicros } = await readWallet(db, accountId);
  return [balanceMicros / USD, sandboxMicros / USD];
};
const capture = async (accountId: AccountId, dollars: bigint, simulated: boolean) => {
  const wanted = { accountId, amountMicros: dollars * USD, cause: `batch:${randomUUID()}`, simulated };
  const { rows } = await captures([wanted], { fastPath: false }).execute(db);
  const [row] = rows;
  if (!row) throw new Error('no outcome');
  return row;
};
/** Several by one call; returns the names of what was refunded. */
const giveBack = async (accountId: AccountId, captureId: bigint | null, ...dollars: bigint[]) => {
  const refunds = dollars.map((each) => ({
    accountId,
    captureId: String(captureId) as EntryId,
    items: [{ item: `message:${randomUUID()}`, amountMicros: each * USD }],
  }));
  await refund(db, refunds);
  return refunds.flatMap(({ items }) => items.map(({ item }) => item));
};

test('money of test cards pays for simulated messages, and for no real one', async () => {
  const accountId = await room.funded();
  await topUp(accountId, 10);
  expect(await parts(accountId)).toEqual([10n, 10n]);
  expect(await capture(accountId, 1n, false)).toMatchObject({ outcome: 'sandbox', balance_micros: 0n });
  await expect(spend(deps, { accountId, amountMicros: 1n, cause: 'batch:1' })).rejects.toMatchObject({
    code: 'E_BALANCE_TOO_LOW',
  });
  expect(await capture(accountId, 4n, true)).toMatchObject({ outcome: 'posted' });
  expect(await parts(accountId)).toEqual([6n, 6n]);
});

test('money paid in the provider’s test mode is money of test cards, also once its live keys are set', async () => {
  const accountId = await room.funded();
  const testMode = { ...STRIPE, name: 'stripe-test' as const };
  const paid = await topUp(accountId, 10, testMode);
  expect(await parts(accountId)).toEqual([10n, 10n]);
  await endSandboxMoney({ ...deps, processor: testMode });
  expect(await capture(accountId, 1n, true)).toMatchObject({ outcome: 'posted' });
  // From here on with the live keys: deps has them.
  expect(await capture(accountId, 1n, false)).toMatchObject({ outcome: 'sandbox' });
  expect(await listCards(db, { accountId, processor: deps.processor.name })).toEqual([]);
  await expect(
    chargeCard(deps, { accountId, cardId: paid.cardId, amount: '10', idempotencyKey: undefined }),
  ).rejects.toMatchObject({ code: 'E_CARD_UNKNOWN' });
  await endSandboxMoney(deps);
  expect(await parts(accountId)).toEqual([0n, 0n]);
});

test('a charge of the test mode that is settled under the live keys is money of test cards', async () => {
  const accountId = await room.funded();
  const testMode = { ...STRIPE, name: 'stripe-test' as const };
  deps.processor = testMode;
  const cardId = await room.addCard(accountId, 'settles-slowly');
  const { id } = await chargeCard(deps, { accountId, cardId, amount: '10', idempotencyKey: undefined });
  deps.processor = STRIPE;
  await settlePayment(deps, id, { state: 'succeeded', chargeRef: `late_${id}` });
  expect(await parts(accountId)).toEqual([10n, 10n]);
});

test('of both kinds, real messages take the real money and simulated ones that of test cards first', async () => {
  const accountId = await room.funded(5);
  await topUp(accountId, 10);
  expect(await capture(accountId, 6n, false)).toMatchObject({ outcome: 'sandbox', balance_micros: 5n * USD });
  await capture(accountId, 2n, false);
  expect(await parts(accountId)).toEqual([13n, 10n]);
  await capture(accountId, 11n, true);
  expect(await parts(accountId)).toEqual([2n, 0n]);
});

test('a refund gives back the kind of money that paid', async () => {
  const accountId = await room.funded(5);
  await topUp(accountId, 7);
  const simulated = await capture(accountId, 9n, true);
  expect(await parts(accountId)).toEqual([3n, 0n]);
  await giveBack(accountId, simulated.entry_id, 4n);
  await giveBack(accountId, simulated.entry_id, 5n);
  expect(await parts(accountId)).toEqual([12n, 7n]);
  const real = await capture(accountId, 3n, false);
  await giveBack(accountId, real.entry_id, 3n);
  expect(await parts(accountId)).toEqual([12n, 7n]);
});

test('several refunds of one capture by one call give back the money of test cards first', async () => {
  const accountId = await room.funded(5);
  await topUp(accountId, 7);
  const simulated = await capture(accountId, 9n, true);
  await giveBack(accountId, simulated.entry_id, 4n, 2n, 3n);
  expect(await parts(accountId)).toEqual([12n, 7n]);
  const { rows } = await sql<{
    sandbox: bigint;
  }>`select sandbox_micros / ${USD} as sandbox from ledger_entries
    where account_id = ${accountId} and kind = 'REFUND' order by id`.execute(db);
  expect(rows.map(({ sandbox }) => sandbox)).toEqual([4n, 2n, 1n]);
});

test('what is charged again is paid with the money that may pay for it', async () => {
  const accountId = await room.funded(5);
  await topUp(accountId, 7);
  const real = await capture(accountId, 4n, false);
  const simulated = await capture(accountId, 8n, true);
  const reals = await giveBack(accountId, real.entry_id, 2n, 2n);
  const simulateds = await giveBack(accountId, simulated.entry_id, 5n, 3n);
  expect(await parts(accountId)).toEqual([12n, 7n]);
  await capture(accountId, 2n, false);
  const items = [
    ...reals.map((item) => ({ accountId, item, details: {}, simulated: false })),
    ...simulateds.map((item) => ({ accountId, item, details: {}, simulated: true })),
  ];
  // Of 10, 7 of test cards: one real message of 2 is covered, the other isn't, and what is simulated takes the rest.
  expect(await recapture(deps, items)).toEqual(new Set([reals[1]]));
  expect(await parts(accountId)).toEqual([0n, 0n]);
});

test('a reversal of a test card’s payment takes no real money, and one of a real card no other', async () => {
  const accountId = await room.funded(5);
  const sandbox = await topUp(accountId, 10);
  await capture(accountId, 8n, true);
  const reverse = async (paymentId: string, processor: typeof STRIPE) => {
    const { rows } = await sql<{ ref: string; minor: bigint; currency: 'HKD' | 'USD' }>`
      select charge_ref as ref, charge_minor as minor, currency from payments where id = ${paymentId}`.execute(
      db,
    );
    const [payment] = rows;
    if (!payment) throw new Error('no payment');
    await reversePayment(
      { ...deps, processor },
      {
        kind: 'refund',
        eventId: randomUUID(),
        chargeRef: payment.ref,
        refundedMinor: payment.minor,
        currency: payment.currency,
      },
    );
  };
  expect(await parts(accountId)).toEqual([7n, 2n]);
  await reverse(sandbox.id, SANDBOX as typeof STRIPE);
  expect(await parts(accountId)).toEqual([5n, 0n]);
  const real = await topUp(accountId, 10, STRIPE);
  await topUp(accountId, 20);
  await capture(accountId, 12n, false);
  expect(await parts(accountId)).toEqual([23n, 20n]);
  await reverse(real.id, STRIPE);
  expect(await parts(accountId)).toEqual([20n, 20n]);
});

test('an admin’s adjustment is real money; taken away, it takes that of test cards last', async () => {
  const accountId = await room.funded();
  await topUp(accountId, 10);
  await room.addMoney(accountId, 3);
  expect(await parts(accountId)).toEqual([13n, 10n]);
  await room.addMoney(accountId, -4);
  expect(await parts(accountId)).toEqual([9n, 9n]);
});

test('once real cards are taken, money of test cards is taken off by an entry of its own, also what comes back later', async () => {
  const accountId = await room.funded(5);
  await topUp(accountId, 10);
  const paid = await capture(accountId, 4n, true);
  await endSandboxMoney({ ...deps, processor: SANDBOX as typeof STRIPE });
  expect(await parts(accountId)).toEqual([11n, 6n]);
  await Promise.all([endSandboxMoney(deps), endSandboxMoney(deps)]);
  expect(await parts(accountId)).toEqual([5n, 0n]);
  await giveBack(accountId, paid.entry_id, 4n);
  expect(await capture(accountId, 6n, false)).toMatchObject({ outcome: 'sandbox' });
  await room.runTask('wallet.end-sandbox-money');
  expect(await parts(accountId)).toEqual([5n, 0n]);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ledger_entries
    where account_id = ${accountId} and details ? 'sandboxEnded'`.execute(db);
  expect(rows[0]?.count).toBe(2);
});

test('the part of test cards changes only by entries', async () => {
  const accountId = await room.funded(5);
  await expect(
    sql`update wallets set sandbox_micros = 1 where account_id = ${accountId}`.execute(db),
  ).rejects.toThrow('only by postings');
});

test('whatever is paid, spent and refunded: what was spent on real messages never exceeds the real money', async () => {
  const step = fc.record({
    what: fc.constantFrom('test-card', 'real-card', 'adjust', 'simulated', 'real', 'refund', 'again', 'end'),
    dollars: fc.integer({ min: 7, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const accountId = await room.funded();
      let realIn = 0n;
      let realOut = 0n;
      const paid: { id: bigint | null; dollars: bigint; real: boolean }[] = [];
      const given: { item: string; dollars: bigint; real: boolean }[] = [];
      for (const { what, dollars } of steps) {
        const amount = BigInt(dollars);
        if (what === 'test-card') await topUp(accountId, dollars);
        if (what === 'real-card') await topUp(accountId, dollars, STRIPE);
        if (what === 'adjust') await room.addMoney(accountId, dollars);
        if (what === 'real-card' || what === 'adjust') realIn += amount;
        if (what === 'simulated' || what === 'real') {
          const { outcome, entry_id: id } = await capture(accountId, amount, what === 'simulated');
          if (outcome === 'posted') paid.push({ id, dollars: amount, real: what === 'real' });
          if (outcome === 'posted' && what === 'real') realOut += amount;
        }
        const last = what === 'refund' ? paid.pop() : undefined;
        if (last) {
          const half = last.dollars / 2n;
          const halves = [half, last.dollars - half];
          for (const [at, item] of (await giveBack(accountId, last.id, ...halves)).entries())
            given.push({ item, dollars: halves[at] ?? 0n, real: last.real });
          if (last.real) realOut -= last.dollars;
        }
        if (what === 'again') {
          const wanted = given.splice(0);
          const lacking = await recapture(
            deps,
            wanted.map(({ item, real }) => ({ accountId, item, details: {}, simulated: !real })),
          );
          for (const each of wanted)
            if (lacking.has(each.item)) given.push(each);
            else if (each.real) realOut += each.dollars;
        }
        if (what === 'end') await endSandboxMoney(deps);
        const [balance = 0n, sandbox = 0n] = await parts(accountId);
        expect(sandbox).toBeGreaterThanOrEqual(0n);
        expect(balance - sandbox).toBeLessThanOrEqual(realIn - realOut);
      }
      expect(await room.differing()).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 120_000);

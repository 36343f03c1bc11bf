import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { CardId, EntryId, PaymentId } from '../../../../contract/customer/wallet.ts';
import { decimalFromMicros } from '../../../../contract/ground/money.ts';
import { openTestWallet } from '../../../../test/wallet.ts';
import { chargeCard } from '../payments/charge-card.ts';
import { listChargedAgain } from '../payments/refund-store.ts';
import { reversePayment } from '../payments/reverse-payment.ts';
import { readWallet } from '../store.ts';
import { adjust } from './adjust.ts';
import { recapture } from './recapture.ts';
import { refund } from './refund.ts';
import { spend } from './spend.ts';

const room = await openTestWallet();
afterAll(room.close);
const { db, deps, provider } = room;

/** What the ledger should contain, computed separately by plain sums. */
interface Model {
  accountId: AccountId;
  available: bigint;
  lost: bigint;
  captures: { id: EntryId; left: bigint }[];
  refunded: { item: string; amount: bigint }[];
  payments: { id: PaymentId; chargeMinor: bigint; amount: bigint; refunded: bigint; lost: bigint }[];
}

type Step = { kind: string; amount: bigint; pick: number };
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('TOP_UP', 'SPEND', 'REFUND', 'RECAPTURE', 'ADJUST', 'REVERSAL'),
  amount: fc.bigInt({ min: 1n, max: 20_000_000n }),
  pick: fc.nat(),
});

let serial = 0;
const next = () => `step:${++serial}`;
const refused = (code: string) => (error: { code?: string; message: string }) => {
  if (error.code !== code && !error.message.includes(code)) throw error;
  return undefined;
};
const share = (amount: bigint, part: bigint, whole: bigint) => (2n * amount * part + whole) / (2n * whole);

const run = async (model: Model, { kind, amount, pick }: Step, cardId: CardId): Promise<void> => {
  const { accountId } = model;
  const one = <T>(from: T[]): T | undefined => from[pick % Math.max(from.length, 1)];
  const amountMicros = amount;
  switch (kind) {
    case 'TOP_UP': {
      const dollars = Number((amount % 100n) + 7n);
      const payment = await chargeCard(deps, {
        accountId,
        cardId,
        amount: dollars,
        idempotencyKey: undefined,
      });
      model.available += payment.amountMicros;
      const { id, chargeMinor, amountMicros: credited } = payment;
      model.payments.push({ id, chargeMinor, amount: credited, refunded: 0n, lost: 0n });
      return;
    }
    case 'SPEND': {
      const posted = await spend(deps, { accountId, amountMicros, cause: next() }).catch(
        refused('E_BALANCE_TOO_LOW'),
      );
      expect(posted !== undefined).toBe(model.available >= amount);
      if (!posted) return;
      model.available -= amount;
      model.captures.push({ id: posted.entryId, left: amount });
      return;
    }
    case 'REFUND': {
      // Up to three by one call, at times of one capture.
      const given = Array.from({ length: (pick % 3) + 1 }, (_, at) => ({
        captured: one(model.captures.slice(at)) ?? one(model.captures),
        item: next(),
        amount: amount / BigInt(at + 1) + 1n,
      }));
      const refunds = given.flatMap(({ captured, item, amount: part }) =>
        captured ? [{ accountId, captureId: captured.id, items: [{ item, amountMicros: part }] }] : [],
      );
      if (refunds.length === 0) return;
      const posted = await db
        .transaction()
        .execute((trx) => refund(trx, refunds))
        .catch(refused('exceeded'));
      const wanted = Map.groupBy(given, ({ captured }) => captured);
      const fits = [...wanted].every(
        ([captured, of]) => captured && captured.left >= of.reduce((sum, { amount: part }) => sum + part, 0n),
      );
      expect(posted !== undefined).toBe(fits);
      if (!posted) return;
      for (const { captured, item, amount: part } of given) {
        if (captured) captured.left -= part;
        model.available += part;
        model.refunded.push({ item, amount: part });
      }
      return;
    }
    case 'RECAPTURE': {
      const again = model.refunded.slice(0, (pick % 3) + 1);
      // The first is named twice, and charged once.
      const items = [...again, ...again.slice(0, 1)].map(({ item }) => ({
        accountId,
        item,
        details: {},
        simulated: false,
      }));
      const lacking = await recapture(deps, items);
      let left = model.available;
      // The cheapest first.
      for (const each of again.toSorted((a, b) => Number(a.amount - b.amount))) {
        left -= each.amount;
        expect(lacking.has(each.item)).toBe(left < 0n);
        if (left < 0n) continue;
        model.available = left;
        model.refunded.splice(model.refunded.indexOf(each), 1);
        const charged = (await listChargedAgain(db, [{ accountId, item: each.item }])).get(each.item);
        if (!charged) throw new Error('it was not charged again');
        model.captures.push({ id: charged.entryId, left: each.amount });
      }
      return;
    }
    case 'ADJUST': {
      const micros = (amount / 10_000n + 1n) * (pick % 2 ? 10_000n : -10_000n);
      const posted = await adjust(deps, {
        accountId,
        amount: decimalFromMicros(micros),
        reason: 'a test',
        by: accountId,
        idempotencyKey: undefined,
      }).catch(refused('E_BALANCE_TOO_LOW'));
      expect(posted !== undefined).toBe(model.available + micros >= 0n);
      if (posted) model.available += micros;
      return;
    }
    case 'REVERSAL': {
      const payment = one(model.payments);
      if (!payment) return;
      // The provider reports the total so far, and sometimes repeats an old report.
      const total = (amount % payment.chargeMinor) + 1n;
      await reversePayment(deps, {
        kind: 'refund',
        eventId: next(),
        chargeRef: provider.refOf(payment.id),
        refundedMinor: total,
        currency: 'HKD',
      });
      if (total <= payment.refunded) return;
      const before = share(payment.amount, payment.refunded, payment.chargeMinor);
      const taken = share(payment.amount, total, payment.chargeMinor) - before;
      const missing = taken - model.available;
      const fromBalance = missing > 0n ? model.available : taken;
      payment.refunded = total;
      model.available -= fromBalance;
      model.lost += taken - fromBalance;
      return;
    }
  }
};

const lossesOf = async (accountId: AccountId): Promise<bigint> => {
  const { rows } = await sql<{ lost: bigint }>`
    select coalesce(-sum(amount_micros), 0)::bigint as lost from ledger_postings
    where account_id = ${accountId} and ledger = 'LOSSES'`.execute(db);
  return rows[0]?.lost ?? 0n;
};

/** Each entry's balance is the one before it plus what it moved. */
const brokenLinks = async (accountId: AccountId): Promise<unknown[]> => {
  const { rows } = await sql`
    select id from (
      select id, balance_micros, available_micros,
        coalesce(lag(balance_micros) over (order by created_at, id), 0) as before,
        lag(id) over (order by created_at, id) as id_before
      from ledger_entries where account_id = ${accountId}
    ) e where balance_micros <> before + available_micros or id < id_before`.execute(db);
  return rows;
};

test('whatever happens in whatever order, the balance is the sum of its postings and never below zero', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const accountId = await room.funded();
      const cardId = await room.addCard(accountId);
      const model: Model = {
        accountId,
        available: 0n,
        lost: 0n,
        captures: [],
        refunded: [],
        payments: [],
      };
      for (const each of steps) await run(model, each, cardId);
      const wallet = await readWallet(db, accountId);
      expect(wallet.balanceMicros).toBe(model.available);
      expect(wallet.balanceMicros >= 0n).toBe(true);
      expect(await lossesOf(accountId)).toBe(model.lost);
      expect(await brokenLinks(accountId)).toEqual([]);
      expect(await room.differing()).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 60_000);

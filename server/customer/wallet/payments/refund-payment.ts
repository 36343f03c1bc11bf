import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import { decimalFromMicros, MICROS_PER_CENT } from '../../../../contract/ground/money.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { lockWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { lockPayment, type PaymentRow, readPayment } from './payment-store.ts';
import {
  findAskedRefund,
  findRefundByKey,
  insertRefundRequest,
  listAskedRefunds,
  type RefundRequest,
  settleRefundRequest,
} from './refund-request-store.ts';
import { holdRefund, ownMicros, reversePayment, shareMicros } from './reverse-payment.ts';
import { acceptAmount } from './top-up-terms.ts';

interface Wanted {
  paymentId: PaymentId;
  /** In the currency of the charge; all that is left without it. */
  amount?: string | number | undefined;
  reason: string;
  by: AccountId;
  idempotencyKey: string;
}

export const isTopUp = ({ type }: Pick<PaymentRow, 'type'>): boolean =>
  type === 'TOP_UP' || type === 'AUTO_TOP_UP';

/** The part of a charge that is neither refunded to the card nor disputed. */
export const leftMinor = (payment: PaymentRow): bigint =>
  isTopUp(payment) && payment.status === 'SUCCESS'
    ? payment.chargeMinor - payment.refundedMinor - payment.disputedMinor
    : 0n;

/** Asks the provider, under the same id however often. What it reports by webhook besides is the same total. */
const carryOut = async (deps: WalletDeps, request: RefundRequest): Promise<RefundRequest['state']> => {
  const { db, queue, processor, log } = deps;
  const { id, paymentId, amountMinor, refundedMinor } = request;
  const payment = await readPayment(db, paymentId);
  if (!payment?.chargeRef) throw new Error(`payment ${paymentId} has no charge`);
  const { chargeRef, currency } = payment;
  const answer = await processor.refund({ refundId: id, chargeRef, amountMinor, refundedMinor });
  switch (answer.state) {
    case 'unknown':
      log.warn({ paymentId, refund: id, reason: answer.reason }, 'a refund has no answer yet');
      return 'ASKED';
    case 'refused':
      await db.transaction().execute(async (trx) => {
        const wallet = await lockWallet(trx, payment.accountId);
        const locked = await lockPayment(trx, paymentId);
        await settleRefundRequest(trx, { id, state: 'REFUSED', answer: answer.reason });
        await holdRefund({ db: trx, queue }, { payment: locked, wallet }, `refund:${id}:refused`);
      });
      return 'REFUSED';
    case 'done':
      await reversePayment(deps, {
        kind: 'refund',
        eventId: `refund:${id}`,
        chargeRef,
        refundedMinor: answer.refundedMinor,
        currency,
      });
      await settleRefundRequest(db, { id, state: 'DONE' });
      return 'DONE';
  }
};

const answered = async (deps: WalletDeps, request: RefundRequest, key: string): Promise<RefundRequest> => {
  if (request.state === 'ASKED') await carryOut(deps, request);
  const now = await findRefundByKey(deps.db, request.paymentId, key);
  if (!now) throw new Error('a refund is gone');
  if (now.state === 'REFUSED') throw new DomainError('E_REFUND_REFUSED', { reason: now.answer });
  return now;
};

/**
 * Gives money of a top-up back to its card and takes it from the balance. Both are stored before the provider is asked:
 * whatever dies in between, it is asked for again, and made once; and nobody spends the money meanwhile.
 */
export const refundPayment = async (deps: WalletDeps, wanted: Wanted): Promise<RefundRequest> => {
  const { db, queue, processor } = deps;
  const { paymentId, by, idempotencyKey: key } = wanted;
  const reason = wanted.reason.trim();
  if (reason === '') throw new DomainError('E_REASON_EMPTY');
  const known = await readPayment(db, paymentId);
  if (!known) throw new DomainError('E_NOT_FOUND');
  const maximumMicros = known.chargeMinor * MICROS_PER_CENT;
  const amountMinor =
    wanted.amount === undefined
      ? leftMinor(known)
      : acceptAmount(wanted.amount, { maximumMicros }) / MICROS_PER_CENT;
  const before = await findRefundByKey(db, paymentId, key);
  if (before) {
    if (wanted.amount !== undefined && before.amountMinor !== amountMinor)
      throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
    return answered(deps, before, key);
  }
  const request = await db.transaction().execute(async (trx) => {
    const wallet = await lockWallet(trx, known.accountId);
    const payment = await lockPayment(trx, paymentId);
    if (await findAskedRefund(trx, paymentId)) throw new DomainError('E_REFUND_RUNNING');
    const left = leftMinor(payment);
    if (left <= 0n || payment.chargeRef === null || payment.processor !== processor.name)
      throw new DomainError('E_NOT_REFUNDABLE');
    if (amountMinor > left)
      throw new DomainError('E_REFUND_TOO_MUCH', {
        left: `${payment.currency} ${decimalFromMicros(left * MICROS_PER_CENT)}`,
      });
    const own = ownMicros(payment, wallet);
    if (shareMicros(payment, amountMinor) > own)
      throw new DomainError('E_REFUND_SPENT', { balance: decimalFromMicros(own) });
    const inserted = await insertRefundRequest(trx, {
      paymentId,
      amountMinor,
      refundedMinor: payment.refundedMinor,
      reason,
      askedBy: by,
      key,
    });
    if (inserted) await holdRefund({ db: trx, queue }, { payment, wallet }, `refund:${inserted.id}`);
    return inserted;
  });
  if (!request) throw new DomainError('E_REFUND_RUNNING');
  return answered(deps, request, key);
};

/** Refund requests whose answer was lost. */
export const finishRefunds = async (deps: WalletDeps, afterSeconds: number): Promise<void> => {
  const asked = await listAskedRefunds(deps.db, { processor: deps.processor.name, afterSeconds });
  for (const request of asked)
    await carryOut(deps, request).catch((error: unknown) =>
      deps.log.warn({ err: error, refund: request.id }, 'not reconciled yet'),
    );
};

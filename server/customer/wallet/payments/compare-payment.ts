import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { findEnd } from './find-end.ts';
import { type PaymentRow, readPayment } from './payment-store.ts';
import { isTopUp } from './refund-payment.ts';
import { reversePayment } from './reverse-payment.ts';
import { settlePayment } from './settle-payment.ts';

/**
 * `changed`: what the provider knew more was taken over. `differs`: it does not know of a payment that we count as paid,
 * or gave back less than we count; nothing is changed then, because money may have been spent.
 */
export type Comparison = 'agrees' | 'changed' | 'differs' | 'unreachable' | 'other-provider';

/** A refund made at the provider whose report was lost. */
const takeOverRefunds = async (
  deps: WalletDeps,
  payment: PaymentRow,
  chargeRef: string,
): Promise<'agrees' | 'differs'> => {
  const refundedMinor = await deps.processor.findRefunded(chargeRef);
  if (refundedMinor === undefined || refundedMinor === payment.refundedMinor) return 'agrees';
  // A refund did not reach the card after all.
  if (refundedMinor < payment.refundedMinor) return 'differs';
  await reversePayment(deps, {
    kind: 'refund',
    eventId: `compared:${payment.id}:${refundedMinor}`,
    chargeRef,
    refundedMinor,
    currency: payment.currency,
  });
  return 'agrees';
};

const compare = async (deps: WalletDeps, payment: PaymentRow): Promise<'agrees' | 'differs'> => {
  const ageSeconds = (Date.now() - payment.createdAt.getTime()) / 1000;
  const end = await findEnd(deps, payment, ageSeconds);
  if (payment.status !== 'SUCCESS') {
    if (end) await settlePayment(deps, payment.id, end);
    return 'agrees';
  }
  if (end?.state !== 'succeeded') return 'differs';
  return takeOverRefunds(deps, payment, end.chargeRef);
};

/** Asks the provider how a payment stands, and takes over what it knows. */
export const comparePayment = async (
  deps: WalletDeps,
  paymentId: PaymentId,
): Promise<{ payment: PaymentRow; outcome: Comparison }> => {
  const { db, processor, log } = deps;
  const before = await readPayment(db, paymentId);
  if (!before) throw new DomainError('E_NOT_FOUND');
  if (!isTopUp(before)) throw new DomainError('E_NOT_COMPARABLE');
  if (before.processor !== processor.name) return { payment: before, outcome: 'other-provider' };
  const outcome = await compare(deps, before).catch((error: unknown) => {
    log.warn({ err: error, paymentId }, 'the card provider did not answer');
    return 'unreachable' as const;
  });
  const payment = (await readPayment(db, paymentId)) ?? before;
  const changed = payment.status !== before.status || payment.refundedMinor !== before.refundedMinor;
  return { payment, outcome: outcome === 'agrees' && changed ? 'changed' : outcome };
};

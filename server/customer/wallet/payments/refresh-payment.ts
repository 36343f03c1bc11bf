import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { findEnd } from './find-end.ts';
import { type PaymentRow, readPayment } from './payment-store.ts';
import { settlePayment } from './settle-payment.ts';

export const readOwnPayment = async (
  { db }: Pick<WalletDeps, 'db'>,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<PaymentRow> => {
  const payment = await readPayment(db, paymentId);
  if (payment?.accountId !== accountId) throw new DomainError('E_NOT_FOUND');
  return payment;
};

/** Asks the provider for the state of a pending payment; if it can't be reached, the payment stays as it is. */
export const refreshPayment = async (
  deps: WalletDeps,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<PaymentRow> => {
  const payment = await readOwnPayment(deps, accountId, paymentId);
  const open = payment.status === 'PENDING' && payment.type !== 'DISPUTE';
  if (!open || payment.processor !== deps.processor.name) return payment;
  const ageSeconds = (Date.now() - payment.createdAt.getTime()) / 1000;
  const end = await findEnd(deps, payment, ageSeconds).catch((error: unknown) => {
    deps.log.warn({ err: error, paymentId }, 'the card provider did not answer');
    return undefined;
  });
  return (end && (await settlePayment(deps, paymentId, end))) ?? payment;
};

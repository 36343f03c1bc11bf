import type { PaymentId } from '../../../../contract/customer/wallet.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { declineAutoTopUp } from '../auto-top-up/decline-auto-top-up.ts';
import { declineReason } from '../auto-top-up/reasons.ts';
import { type ChargeState, takesTestCards } from '../card-processor.ts';
import { postEntry } from '../ledger/post-entry.ts';
import { walletMails } from '../mails/wallet-mails.ts';
import { endAutoTopUp, lockWallet, updateWallet } from '../store.ts';
import type { SpendDeps, WalletDeps } from '../wallet-deps.ts';
import { lockPayment, type PaymentRow, readPayment, updatePayment } from './payment-store.ts';

/** The outcome of a charge: the provider's report, or ours if it has never seen the charge. */
export type Settlement = ChargeState | { state: 'never-made'; reason: string };

/** A provider that was out of reach is not called again immediately. */
const NEVER_MADE_PAUSE_SECONDS = 60;

const succeed = async (deps: SpendDeps, payment: PaymentRow, chargeRef: string): Promise<void> => {
  const { id, accountId, type, amountMicros, brand, last4, processor } = payment;
  await updatePayment(deps.db, id, {
    status: 'SUCCESS',
    charge_ref: chargeRef,
    client_secret: null,
    reason: '',
  });
  await postEntry(deps, {
    accountId,
    kind: 'TOP_UP',
    cause: `payment:${id}`,
    postings: { AVAILABLE: amountMicros, CARDS: -amountMicros },
    details: { paymentId: id, paymentType: type, card: { brand, last4 } },
    sandbox: takesTestCards(processor),
  });
  await updateWallet(deps.db, accountId, { auto_charge_declines: 0 });
  if (type === 'AUTO_TOP_UP' && payment.status === 'PENDING') await endAutoTopUp(deps.db, accountId, 0);
  await walletMails.request(deps, { kind: 'receipt', accountId, paymentId: id });
};

const fail = async (
  deps: SpendDeps,
  payment: PaymentRow,
  settlement: Extract<Settlement, { state: 'failed' | 'never-made' }>,
): Promise<void> => {
  const chargeRef = settlement.state === 'failed' ? settlement.chargeRef : undefined;
  const reason = settlement.state === 'failed' ? declineReason(settlement) : settlement.reason;
  await updatePayment(deps.db, payment.id, {
    status: 'FAILED',
    reason,
    client_secret: null,
    ...(chargeRef !== undefined && { charge_ref: chargeRef }),
  });
  if (payment.type !== 'AUTO_TOP_UP') return;
  if (settlement.state === 'failed')
    await declineAutoTopUp(deps, payment, { reason, cardGone: settlement.cardGone });
  else await endAutoTopUp(deps.db, payment.accountId, NEVER_MADE_PAUSE_SECONDS);
};

const apply = async (deps: SpendDeps, payment: PaymentRow, settlement: Settlement): Promise<void> => {
  if (payment.status === 'SUCCESS') return;
  // A failed payment may still succeed: then the money was taken after all, and it is credited.
  if (settlement.state === 'succeeded') return succeed(deps, payment, settlement.chargeRef);
  if (payment.status === 'FAILED') return;
  switch (settlement.state) {
    case 'failed':
    case 'never-made':
      return fail(deps, payment, settlement);
    case 'pending':
      return updatePayment(deps.db, payment.id, { charge_ref: settlement.chargeRef, client_secret: null });
    case 'authenticate':
      return updatePayment(deps.db, payment.id, {
        charge_ref: settlement.chargeRef,
        client_secret: settlement.clientSecret,
      });
    case 'unknown':
      return;
  }
};

/**
 * The one place that records the outcome of a charge: the provider's reply, its webhook and the reconcile task all end
 * here, in any order and any number of times. Undefined if the payment is not ours.
 */
export const settlePayment = async (
  { db, queue }: Pick<WalletDeps, 'db' | 'queue'>,
  paymentId: PaymentId,
  settlement: Settlement,
): Promise<PaymentRow | undefined> => {
  const known = await readPayment(db, paymentId);
  // A success is final, so a repeated report need not wait for the wallet.
  if (!known || known.status === 'SUCCESS') return known;
  return db.transaction().execute(async (trx: Db) => {
    await lockWallet(trx, known.accountId);
    await apply({ db: trx, queue }, await lockPayment(trx, paymentId), settlement);
    return readPayment(trx, paymentId);
  });
};

import { PRODUCT_NAME } from '../../../../contract/ground/constants.ts';
import { REASONS } from '../auto-top-up/reasons.ts';
import type { CardProcessor, ChargeState } from '../card-processor.ts';
import type { CardRow } from '../cards/card-store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import type { PaymentRow } from './payment-store.ts';
import { type Settlement, settlePayment } from './settle-payment.ts';

/** Cancels a charge that waits for an absent card holder; it may have succeeded meanwhile. */
export const abandonCharge = async (
  processor: CardProcessor,
  payment: Pick<PaymentRow, 'id' | 'type'>,
  chargeRef: string,
): Promise<Settlement> => {
  const state = await processor.abandonCharge({ paymentId: payment.id, chargeRef });
  if (state.state !== 'failed') return state;
  const automatic = payment.type === 'AUTO_TOP_UP';
  return { ...state, code: undefined, reason: automatic ? REASONS.authentication : REASONS.notAuthenticated };
};

const ask = async (
  { processor, log }: WalletDeps,
  { payment, card, onSession }: { payment: PaymentRow; card: CardRow; onSession: boolean },
): Promise<Settlement> => {
  let charge: ChargeState;
  try {
    charge = await processor.charge({
      paymentId: payment.id,
      accountId: payment.accountId,
      customerRef: card.customerRef,
      methodRef: card.methodRef,
      amountMinor: payment.chargeMinor,
      currency: payment.currency,
      description: `${PRODUCT_NAME} top-up`,
      onSession,
    });
  } catch (error) {
    // Whether money was taken is unknown; the reconcile task finds out.
    log.warn({ err: error, paymentId: payment.id }, 'a charge has no known end');
    return { state: 'unknown', reason: 'no reply' };
  }
  return charge.state === 'authenticate' && !onSession
    ? abandonCharge(processor, payment, charge.chargeRef)
    : charge;
};

/** Charges the card for a payment that is already stored, and settles the reply. */
export const makeCharge = async (
  deps: WalletDeps,
  request: { payment: PaymentRow; card: CardRow; onSession: boolean },
): Promise<PaymentRow> =>
  (await settlePayment(deps, request.payment.id, await ask(deps, request))) ?? request.payment;

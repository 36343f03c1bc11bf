import { REASONS } from '../auto-top-up/reasons.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { abandonCharge } from './make-charge.ts';
import type { PaymentRow } from './payment-store.ts';
import type { Settlement } from './settle-payment.ts';

/** How long a charge may be unknown to the provider, or wait for its card holder. */
const PATIENCE_SECONDS = 3600;

/** Asks the provider for the state of a payment; undefined if it is too early to say. Never charges again. */
export const findEnd = async (
  { processor }: Pick<WalletDeps, 'processor'>,
  payment: PaymentRow,
  ageSeconds: number,
): Promise<Settlement | undefined> => {
  const state = await processor.findCharge({
    paymentId: payment.id,
    customerRef: payment.customerRef,
    chargeRef: payment.chargeRef ?? undefined,
    createdAt: payment.createdAt,
  });
  const late = ageSeconds > Math.max(PATIENCE_SECONDS, processor.chargeTimeoutMs / 1000);
  if (!state) return late ? { state: 'never-made', reason: REASONS.neverSeen } : undefined;
  const hopeless = state.state === 'authenticate' && payment.type === 'AUTO_TOP_UP';
  const overdue = late && (state.state === 'authenticate' || state.state === 'pending');
  return hopeless || overdue ? abandonCharge(processor, payment, state.chargeRef) : state;
};

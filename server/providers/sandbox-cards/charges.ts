import type { PaymentId } from '../../../contract/customer/wallet.ts';
import type { CardProcessor, ChargeState, SandboxForm } from '../../customer/wallet/card-processor.ts';
import { isExpired } from './card-form.ts';
import { type ChargeCourse, chargeState, courseOf, isCourse } from './charge-course.ts';
import type { OpenMethod } from './customers.ts';
import type { Seal } from './seal.ts';

interface Options {
  seal: Seal;
  settleMs: number;
  now: () => Date;
  openMethod: OpenMethod;
}

const CARD_UNKNOWN: ChargeState = {
  state: 'failed',
  chargeRef: undefined,
  code: 'card-unknown',
  reason: 'The card is no longer known to the payment provider.',
  cardGone: true,
};

/** Charges of the sandbox; `authenticate` is the card holder's answer to one that waits for it. */
export const sandboxCharges = ({ seal, settleMs, now, openMethod }: Options) => {
  const chargeOf = (paymentId: PaymentId, course: ChargeCourse, settled = false): ChargeState =>
    chargeState(course, {
      chargeRef: seal.sign('charge', [paymentId, course]),
      clientSecret: seal.sign('payment', [paymentId]),
      settled,
    });

  const openCharge = (chargeRef: string | undefined, paymentId: PaymentId): ChargeCourse | undefined => {
    const [owner, course] = seal.open('charge', chargeRef ?? '') ?? [];
    return owner === paymentId && isCourse(course) ? course : undefined;
  };

  const processor: Pick<CardProcessor, 'charge' | 'findCharge' | 'abandonCharge'> = {
    charge: async ({ paymentId, customerRef, methodRef, onSession }) => {
      const method = openMethod({ methodRef, customerRef });
      if (!method) return CARD_UNKNOWN;
      return chargeOf(
        paymentId,
        isExpired(method, now()) ? 'expired-card' : courseOf(method.kind, onSession),
      );
    },
    findCharge: async ({ paymentId, chargeRef, createdAt }) => {
      const course = openCharge(chargeRef, paymentId);
      return course && chargeOf(paymentId, course, now().getTime() >= createdAt.getTime() + settleMs);
    },
    abandonCharge: async ({ paymentId, chargeRef }) => {
      const course = openCharge(chargeRef, paymentId);
      if (course === undefined) throw new Error(`payment ${paymentId} has another charge`);
      return chargeOf(paymentId, course === 'authentication' ? 'abandoned' : course);
    },
  };
  const authenticate: SandboxForm['authenticate'] = ({ clientSecret, approve }) => {
    const [paymentId] = (seal.open('payment', clientSecret) ?? []) as PaymentId[];
    return paymentId && { paymentId, charge: chargeOf(paymentId, approve ? 'approved' : 'refused') };
  };
  return { processor, authenticate };
};

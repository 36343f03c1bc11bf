import Stripe from 'stripe';
import type { CardProcessor } from '../../customer/wallet/card-processor.ts';
import { whenMissing } from './missing.ts';

const findRefunded = async (stripe: Stripe, chargeRef: string): Promise<bigint | undefined> => {
  const intent = await stripe.paymentIntents
    .retrieve(chargeRef, { expand: ['latest_charge'] })
    .catch(whenMissing(undefined));
  const charge = intent?.latest_charge;
  return charge === undefined || charge === null || typeof charge === 'string'
    ? undefined
    : BigInt(charge.amount_refunded);
};

const findRefund = async (
  stripe: Stripe,
  { chargeRef, refundId }: { chargeRef: string; refundId: string },
): Promise<Stripe.Refund | undefined> => {
  for await (const refund of stripe.refunds.list({ payment_intent: chargeRef, limit: 100 }))
    if (refund.metadata?.refundId === refundId) return refund;
  return undefined;
};

/** What goes back to a card by a payment intent. */
export const stripeRefunds = (stripe: Stripe): Pick<CardProcessor, 'refund' | 'findRefunded'> => ({
  refund: async ({ refundId, chargeRef, amountMinor }) => {
    try {
      // Stripe forgets an idempotency key after a day, and its own mark on a refund never.
      const made =
        (await findRefund(stripe, { chargeRef, refundId })) ??
        (await stripe.refunds.create(
          { payment_intent: chargeRef, amount: Number(amountMinor), metadata: { refundId } },
          { idempotencyKey: `refund-${refundId}` },
        ));
      if (made.status === 'failed' || made.status === 'canceled')
        return { state: 'refused', reason: made.failure_reason ?? made.status };
      const refundedMinor = await findRefunded(stripe, chargeRef);
      return refundedMinor === undefined
        ? { state: 'unknown', reason: `${chargeRef} has no charge` }
        : { state: 'done', refundedMinor };
    } catch (error) {
      const { message } = error as Error;
      // Another call with the same key may still be under way: that is no refusal.
      return error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409
        ? { state: 'refused', reason: message }
        : { state: 'unknown', reason: message };
    }
  },
  findRefunded: (chargeRef) => findRefunded(stripe, chargeRef),
});

import Stripe from 'stripe';
import type { CardProcessor, ChargeRequest } from '../../customer/wallet/card-processor.ts';
import { stateOfError, stateOfIntent } from './charge-state.ts';
import { isMissing, whenMissing } from './missing.ts';
import { paymentIdOf } from './read-event.ts';

const HOUR_SECONDS = 3600;
/** Stripe forgets an idempotency key after a day; nobody charges a payment later than that. */
const KEY_LIFETIME_SECONDS = 24 * HOUR_SECONDS;

const findIntent = async (
  stripe: Stripe,
  { paymentId, customerRef: customer, createdAt }: Parameters<CardProcessor['findCharge']>[0],
): Promise<Stripe.PaymentIntent | undefined> => {
  const second = Math.floor(createdAt.getTime() / 1000);
  // Stripe's search lags behind by up to a minute; its lists don't. An hour covers clocks that differ.
  const created = { gte: second - HOUR_SECONDS, lte: second + KEY_LIFETIME_SECONDS + HOUR_SECONDS };
  for await (const intent of stripe.paymentIntents.list({ customer, created, limit: 100 }))
    if (paymentIdOf(intent) === paymentId) return intent;
  return undefined;
};

/** Whether the card is still on the customer; also true if that can't be found out now. */
const isKnown = async (stripe: Stripe, { methodRef, customerRef }: ChargeRequest): Promise<boolean> => {
  try {
    return (await stripe.paymentMethods.retrieve(methodRef)).customer === customerRef;
  } catch (error) {
    return !isMissing(error);
  }
};

/** One payment intent at Stripe for each payment of ours. */
export const stripeCharges = (
  stripe: Stripe,
): Pick<CardProcessor, 'charge' | 'findCharge' | 'abandonCharge'> => ({
  charge: async (request) => {
    const { paymentId, accountId, onSession } = request;
    try {
      const intent = await stripe.paymentIntents.create(
        {
          amount: Number(request.amountMinor),
          currency: request.currency.toLowerCase(),
          customer: request.customerRef,
          payment_method: request.methodRef,
          allowed_payment_method_types: ['card'],
          description: request.description,
          metadata: { paymentId, accountId },
          confirm: true,
          // Off session, a bank that asks for the card holder is a decline; on session it is a next step.
          ...(!onSession && { off_session: true }),
        },
        { idempotencyKey: paymentId },
      );
      return stateOfIntent(intent);
    } catch (error) {
      const state = stateOfError(error);
      // The refusal of a removed card has no code of its own, so check whether that is the reason.
      return state.state === 'failed' && state.chargeRef === undefined && !(await isKnown(stripe, request))
        ? {
            ...state,
            code: 'card-unknown',
            reason: 'The card is no longer known to the payment provider.',
            cardGone: true,
          }
        : state;
    }
  },

  findCharge: async (payment) => {
    const intent = await (payment.chargeRef === undefined
      ? findIntent(stripe, payment)
      : stripe.paymentIntents.retrieve(payment.chargeRef)
    ).catch(whenMissing(undefined));
    return intent && stateOfIntent(intent);
  },

  abandonCharge: async ({ chargeRef }) => {
    try {
      return stateOfIntent(
        await stripe.paymentIntents.cancel(chargeRef, { cancellation_reason: 'abandoned' }),
      );
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      // It has ended in the meantime; its current state is the answer.
      return stateOfIntent(await stripe.paymentIntents.retrieve(chargeRef));
    }
  },
});

import Stripe from 'stripe';

/** Stripe does not know it, or no longer. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

export const whenMissing =
  <T>(answer: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return answer;
    throw error;
  };

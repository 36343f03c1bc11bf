import Stripe from 'stripe';
import type { ChargeState, DeclineCode } from '../../customer/wallet/card-processor.ts';

/** Declines after which no later charge of the same card can succeed (https://docs.stripe.com/declines/codes). */
const GONE = new Set([
  'expired_card',
  'lost_card',
  'stolen_card',
  'pickup_card',
  'invalid_account',
  'incorrect_number',
]);

interface Decline {
  code?: string | null;
  decline_code?: string | null;
  advice_code?: string | null;
}

const isGone = ({ code, decline_code, advice_code }: Decline): boolean =>
  advice_code === 'do_not_try_again' || GONE.has(decline_code ?? '') || GONE.has(code ?? '');

/** Of https://docs.stripe.com/declines/codes and https://docs.stripe.com/error-codes, what a customer can act on. */
const CODES: Record<string, DeclineCode> = {
  // Stripe asks not to reveal to the holder of a reported card, who may not be its owner, that it is reported.
  card_declined: 'declined',
  insufficient_funds: 'insufficient-funds',
  card_velocity_exceeded: 'limit-exceeded',
  withdrawal_count_limit_exceeded: 'limit-exceeded',
  expired_card: 'expired-card',
  incorrect_number: 'incorrect-number',
  invalid_number: 'incorrect-number',
  incorrect_cvc: 'incorrect-cvc',
  invalid_cvc: 'incorrect-cvc',
  card_not_supported: 'not-supported',
  currency_not_supported: 'not-supported',
  transaction_not_allowed: 'not-supported',
  processing_error: 'processing-error',
  issuer_not_available: 'processing-error',
  reenter_transaction: 'processing-error',
  try_again_later: 'processing-error',
  authentication_required: 'authentication-required',
  payment_intent_authentication_failure: 'not-confirmed',
};

const codeOf = ({ code, decline_code }: Decline): DeclineCode | undefined =>
  CODES[decline_code ?? ''] ?? CODES[code ?? ''];

export const stateOfIntent = (intent: Stripe.PaymentIntent): ChargeState => {
  const chargeRef = intent.id;
  const error = intent.last_payment_error;
  switch (intent.status) {
    case 'succeeded':
      return { state: 'succeeded', chargeRef };
    case 'requires_action':
      return intent.client_secret === null
        ? { state: 'pending', chargeRef }
        : { state: 'authenticate', chargeRef, clientSecret: intent.client_secret };
    case 'requires_payment_method':
      // Without an error it was not tried yet: it may be looked at in the middle of being made.
      return error === null
        ? { state: 'pending', chargeRef }
        : {
            state: 'failed',
            chargeRef,
            code: codeOf(error),
            reason: error.message ?? 'The card was declined.',
            cardGone: isGone(error),
          };
    case 'canceled':
      return {
        state: 'failed',
        chargeRef,
        code: 'cancelled',
        reason: 'The payment was cancelled.',
        cardGone: false,
      };
    default:
      return { state: 'pending', chargeRef };
  }
};

/**
 * The outcome of a charge that answered with an error. Only what the provider said about the charge itself is definite;
 * after a lost connection, a timeout, an error of the provider, a limit or a request with the same key still running,
 * it is not known whether money was taken.
 */
export const stateOfError = (error: unknown): ChargeState => {
  if (error instanceof Stripe.errors.StripeCardError)
    return {
      state: 'failed',
      chargeRef: error.payment_intent?.id,
      code: codeOf(error),
      reason: error.message,
      cardGone: isGone(error),
    };
  if (error instanceof Stripe.errors.StripeInvalidRequestError)
    return { state: 'failed', chargeRef: undefined, reason: error.message, cardGone: false };
  if (error instanceof Stripe.errors.StripeError)
    return { state: 'unknown', reason: `${error.type}: ${error.message}` };
  throw error;
};

import Stripe from 'stripe';
import type { CardProcessor } from '../../customer/wallet/card-processor.ts';
import { stripeCharges } from './charges.ts';
import { stripeCustomers } from './customers.ts';
import { readEvent } from './read-event.ts';
import { stripeRefunds } from './refunds.ts';

interface StripeOptions {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Where the API is, if not at Stripe's own address: for tests. */
  apiBase?: string;
  /** How long a silent connection is waited for. */
  timeoutMs?: number;
}

/** Secret and restricted keys of the live mode; every other one charges test cards only. */
const LIVE_KEY = /^[rs]k_live_/;
/** The library repeats under the same idempotency key, so a repeat charges nobody twice. */
const REPEATS = 2;
/** The library waits at most this long between repeats. */
const PAUSE_MS = 5_000;
/** A request that we gave up may still be carried out on the other side. */
const AFTERMATH_MS = 60_000;
/** How old a signed webhook may be: Stripe's own proposal. */
const TOLERANCE_SECONDS = 300;

const connection = ({ secretKey, apiBase, timeoutMs }: StripeOptions): Stripe => {
  const base = apiBase === undefined ? undefined : new URL(apiBase);
  return new Stripe(secretKey, {
    ...(base && {
      host: base.hostname,
      port: base.port,
      protocol: base.protocol === 'http:' ? 'http' : 'https',
    }),
    timeout: timeoutMs,
    maxNetworkRetries: REPEATS,
    telemetry: false,
  });
};

/** Cards at Stripe: the number goes from the form in the page to Stripe and never through this program. */
export const stripeCards = (given: StripeOptions): CardProcessor => {
  const options = { timeoutMs: 20_000, ...given };
  const stripe = connection(options);

  return {
    name: LIVE_KEY.test(options.secretKey) ? 'stripe' : 'stripe-test',
    publishableKey: options.publishableKey,
    chargeTimeoutMs: options.timeoutMs * (REPEATS + 1) + PAUSE_MS * REPEATS + AFTERMATH_MS,
    sandboxForm: undefined,
    ...stripeCustomers(stripe),
    ...stripeCharges(stripe),
    ...stripeRefunds(stripe),

    readEvent: (rawBody, headers) => {
      const signature = headers['stripe-signature'];
      if (typeof signature !== 'string') return undefined;
      try {
        return readEvent(
          stripe.webhooks.constructEvent(rawBody, signature, options.webhookSecret, TOLERANCE_SECONDS),
        );
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
        throw error;
      }
    },
  };
};

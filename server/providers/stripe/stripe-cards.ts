import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { CardProcessor, ConfirmedCard } from '../../customer/wallet/card-processor.ts';
import { stateOfError, stateOfIntent } from './charge-state.ts';
import { paymentIdOf, readEvent } from './read-event.ts';

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
const HOUR_SECONDS = 3600;
/** Stripe forgets an idempotency key after a day; nobody charges a payment later than that. */
const KEY_LIFETIME_SECONDS = 24 * HOUR_SECONDS;

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';

const whenMissing =
  <T>(answer: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return answer;
    throw error;
  };

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

const facts = (method: Stripe.PaymentMethod, customerRef: string): ConfirmedCard | undefined =>
  // Another customer's card, or one that was taken off the customer again, can't be charged.
  method.card === undefined || method.customer !== customerRef
    ? undefined
    : {
        customerRef,
        methodRef: method.id,
        last4: method.card.last4,
        brand: method.card.brand,
        expMonth: method.card.exp_month,
        expYear: method.card.exp_year,
      };

/** Cards at Stripe: the number goes from the form in the page to Stripe and never through this program. */
export const stripeCards = (given: StripeOptions): CardProcessor => {
  const options = { timeoutMs: 20_000, ...given };
  const stripe = connection(options);

  /** Two concurrent calls create one customer. `gone` is the one that it replaces. */
  const createCustomer = async (accountId: AccountId, email: string, gone = ''): Promise<string> => {
    const parameters = { email, metadata: { accountId } };
    const hash = createHash('sha256')
      .update(JSON.stringify([parameters, gone]))
      .digest('hex');
    return (await stripe.customers.create(parameters, { idempotencyKey: `customer-${hash}` })).id;
  };

  const createSetup = async (customer: string): Promise<{ clientSecret: string; customerRef: string }> => {
    const setup = await stripe.setupIntents.create({
      customer,
      usage: 'off_session',
      allowed_payment_method_types: ['card'],
    });
    if (setup.client_secret === null) throw new Error(`${setup.id} has no client secret`);
    return { clientSecret: setup.client_secret, customerRef: customer };
  };

  const findIntent = async (
    paymentId: string,
    customer: string,
    createdAt: Date,
  ): Promise<Stripe.PaymentIntent | undefined> => {
    const second = Math.floor(createdAt.getTime() / 1000);
    // Stripe's search lags behind by up to a minute; its lists don't. An hour covers clocks that differ.
    const created = { gte: second - HOUR_SECONDS, lte: second + KEY_LIFETIME_SECONDS + HOUR_SECONDS };
    for await (const intent of stripe.paymentIntents.list({ customer, created, limit: 100 }))
      if (paymentIdOf(intent) === paymentId) return intent;
    return undefined;
  };

  /** Whether the card is still on the customer; also true if that can't be found out now. */
  const isKnown = async (methodRef: string, customerRef: string): Promise<boolean> => {
    try {
      return (await stripe.paymentMethods.retrieve(methodRef)).customer === customerRef;
    } catch (error) {
      return !isMissing(error);
    }
  };

  const findRefunded = async (chargeRef: string): Promise<bigint | undefined> => {
    const intent = await stripe.paymentIntents
      .retrieve(chargeRef, { expand: ['latest_charge'] })
      .catch(whenMissing(undefined));
    const charge = intent?.latest_charge;
    return charge === undefined || charge === null || typeof charge === 'string'
      ? undefined
      : BigInt(charge.amount_refunded);
  };

  const findRefund = async (chargeRef: string, refundId: string): Promise<Stripe.Refund | undefined> => {
    for await (const refund of stripe.refunds.list({ payment_intent: chargeRef, limit: 100 }))
      if (refund.metadata?.refundId === refundId) return refund;
    return undefined;
  };

  return {
    name: LIVE_KEY.test(options.secretKey) ? 'stripe' : 'stripe-test',
    publishableKey: options.publishableKey,
    chargeTimeoutMs: options.timeoutMs * (REPEATS + 1) + PAUSE_MS * REPEATS + AFTERMATH_MS,
    sandboxForm: undefined,

    beginCard: async ({ accountId, email, customerRef }) => {
      if (customerRef === undefined) return createSetup(await createCustomer(accountId, email));
      try {
        return await createSetup(customerRef);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return createSetup(await createCustomer(accountId, email, customerRef));
      }
    },

    confirmCard: async (auth, customerRef) => {
      if (!/^seti_\w+$/.test(auth)) return undefined;
      const setup = await stripe.setupIntents
        .retrieve(auth, { expand: ['payment_method'] })
        .catch(whenMissing(undefined));
      if (setup?.status !== 'succeeded') return undefined;
      const method = setup.payment_method;
      return method === null || typeof method === 'string' ? undefined : facts(method, customerRef);
    },

    removeCard: async ({ methodRef }) => {
      try {
        await stripe.paymentMethods.detach(methodRef);
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        // The refusal of a card without a customer has no code of its own, so check whether that is the reason.
        const method = await stripe.paymentMethods.retrieve(methodRef).catch(whenMissing(undefined));
        if (method?.customer) throw error;
      }
    },

    charge: async ({ paymentId, accountId, onSession, ...request }) => {
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
        return state.state === 'failed' &&
          state.chargeRef === undefined &&
          !(await isKnown(request.methodRef, request.customerRef))
          ? {
              ...state,
              code: 'card-unknown',
              reason: 'The card is no longer known to the payment provider.',
              cardGone: true,
            }
          : state;
      }
    },

    findCharge: async ({ paymentId, customerRef, chargeRef, createdAt }) => {
      const intent = await (chargeRef === undefined
        ? findIntent(paymentId, customerRef, createdAt)
        : stripe.paymentIntents.retrieve(chargeRef)
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

    refund: async ({ refundId, chargeRef, amountMinor }) => {
      try {
        // Stripe forgets an idempotency key after a day, and its own mark on a refund never.
        const made =
          (await findRefund(chargeRef, refundId)) ??
          (await stripe.refunds.create(
            { payment_intent: chargeRef, amount: Number(amountMinor), metadata: { refundId } },
            { idempotencyKey: `refund-${refundId}` },
          ));
        if (made.status === 'failed' || made.status === 'canceled')
          return { state: 'refused', reason: made.failure_reason ?? made.status };
        const refundedMinor = await findRefunded(chargeRef);
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

    findRefunded,

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

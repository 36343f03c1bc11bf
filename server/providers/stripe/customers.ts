import { createHash } from 'node:crypto';
import Stripe from 'stripe';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { CardProcessor, ConfirmedCard } from '../../customer/wallet/card-processor.ts';
import { isMissing, whenMissing } from './missing.ts';

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

/** Two concurrent calls create one customer. `gone` is the one that it replaces. */
const createCustomer = async (
  stripe: Stripe,
  { accountId, email }: { accountId: AccountId; email: string },
  gone = '',
): Promise<string> => {
  const parameters = { email, metadata: { accountId } };
  const hash = createHash('sha256')
    .update(JSON.stringify([parameters, gone]))
    .digest('hex');
  return (await stripe.customers.create(parameters, { idempotencyKey: `customer-${hash}` })).id;
};

const createSetup = async (
  stripe: Stripe,
  customer: string,
): Promise<{ clientSecret: string; customerRef: string }> => {
  const setup = await stripe.setupIntents.create({
    customer,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  if (setup.client_secret === null) throw new Error(`${setup.id} has no client secret`);
  return { clientSecret: setup.client_secret, customerRef: customer };
};

/** Customers at Stripe and the cards on them. */
export const stripeCustomers = (
  stripe: Stripe,
): Pick<CardProcessor, 'beginCard' | 'confirmCard' | 'removeCard'> => ({
  beginCard: async ({ customerRef, ...account }) => {
    if (customerRef === undefined) return createSetup(stripe, await createCustomer(stripe, account));
    try {
      return await createSetup(stripe, customerRef);
    } catch (error) {
      if (!isMissing(error)) throw error;
      return createSetup(stripe, await createCustomer(stripe, account, customerRef));
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
});

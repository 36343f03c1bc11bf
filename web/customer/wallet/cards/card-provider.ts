import type { Stripe } from '@stripe/stripe-js';

/** Loads the provider's script from its own site, once; `pure` does so only when it is asked to. */
export const loadCardProvider = async (publishableKey: string): Promise<Stripe> => {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('The card provider has no form outside a browser.');
  return stripe;
};

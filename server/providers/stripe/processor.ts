import type { CardProcessor } from '../../customer/wallet/card-processor.ts';
import type { StripeSection } from './settings.ts';
import { stripeCards } from './stripe-cards.ts';

/** Real cards, if Stripe's keys are set: all of them or none, the section sees to that. */
export const stripeProcessor = (settings: StripeSection): CardProcessor | undefined => {
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_BASE: apiBase,
  } = settings;
  if (!secretKey || !publishableKey || !webhookSecret) return undefined;
  return stripeCards({ secretKey, publishableKey, webhookSecret, ...(apiBase && { apiBase }) });
};

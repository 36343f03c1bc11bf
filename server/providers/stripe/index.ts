export { stripeProcessor } from './processor.ts';
export { type StripeOptions, stripeCards } from './stripe-cards.ts';

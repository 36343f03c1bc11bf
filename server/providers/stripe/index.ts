export { type StripeOptions, stripeCards } from './stripe-cards.ts';

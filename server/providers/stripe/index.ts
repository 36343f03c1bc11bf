export { stripeProcessor } from './processor.ts';
export { stripeCards } from './stripe-cards.ts';

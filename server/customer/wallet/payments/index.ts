export { comparePayment } from './compare-payment.ts';
export { type PaymentRow, readPayment, searchPayments } from './payment-store.ts';
export { tellPayment } from './payment-story.ts';
export { leftMinor, refundPayment } from './refund-payment.ts';
export { acceptAmount } from './top-up-terms.ts';

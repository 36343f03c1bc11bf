export { comparePayment } from './compare-payment.ts';
export { type PaymentRow, readPayment, searchPayments } from './payment-store.ts';
export { paymentTimeline } from './payment-timeline.ts';
export { leftMinor, refundPayment } from './refund-payment.ts';
export { acceptAmount } from './top-up-terms.ts';

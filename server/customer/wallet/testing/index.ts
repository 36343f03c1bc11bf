/** For tests and benches alone: shipped code enters by the other door. */
export { beginCard } from '../cards/begin-card.ts';
export { keepCard } from '../cards/keep-card.ts';
export { compareBalances } from '../ledger/proof-store.ts';
export { chargeCard } from '../payments/charge-card.ts';
export { receiveProcessorEvent } from '../payments/receive-processor-event.ts';
export { reconcilePayments } from '../payments/reconcile-payments.ts';

export {
  findBalanceAt,
  findFirstMovement,
  findMovedSpans,
  listPaidBatches,
  type Refunded,
  sumMovements,
  sumRefunds,
} from './month-store.ts';

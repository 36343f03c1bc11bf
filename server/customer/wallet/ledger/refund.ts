import type { Db } from '../../../ground/postgres/index.ts';
import { insertRefunds, type NewRefund } from './ledger-store.ts';
import { acceptOutcome, type Posted } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';

/**
 * Refunds items of captures, such as the messages that could not be sent: one entry for each capture. Each item is
 * refunded once, however often it is requested; all of a capture together never exceed what was captured. Within a
 * transaction: it throws after some were refunded.
 */
export const refund = async (db: Db, refunds: NewRefund[]): Promise<Posted[]> => {
  for (const { items } of refunds) for (const { amountMicros } of items) requirePositive(amountMicros);
  const outcomes = await insertRefunds(db, refunds);
  return outcomes.map((outcome) => acceptOutcome(outcome, 'a refund'));
};

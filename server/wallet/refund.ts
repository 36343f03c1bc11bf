import type { Db } from '../postgres/index.ts';
import { insertRefunds, type NewRefund } from './ledger-store.ts';
import { acceptOutcome, type Posted } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';

/**
 * Refunds items of captures, such as the messages that could not be sent: one entry for each capture. Each item is
 * refunded once, however often it is requested; all of a capture together never exceed what was captured.
 */
export const refund = async (db: Db, refunds: NewRefund[]): Promise<Posted[]> => {
  for (const { items } of refunds) for (const { amountMicros } of items) requirePositive(amountMicros);
  // Wallets are locked in the order of their accounts, here as everywhere.
  const inOrder = refunds.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const outcomes = await insertRefunds(db, inOrder);
  return outcomes.map((outcome) => acceptOutcome(outcome, 'a refund'));
};

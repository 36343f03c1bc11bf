import type { AccountId } from '../../contract/accounts.ts';
import type { EntryId } from '../../contract/wallet.ts';
import type { Db } from '../postgres/index.ts';
import { type EntryDetails, insertRefund, type RefundItem } from './ledger-store.ts';
import { acceptOutcome, type Posted } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';

/**
 * Refunds items of a capture in one entry, such as the messages that could not be sent. Each item is refunded once,
 * however often it is requested; all of them together never exceed what was captured.
 */
export const refund = async (
  db: Db,
  {
    accountId,
    captureId,
    items,
    details = {},
  }: { accountId: AccountId; captureId: EntryId; items: RefundItem[]; details?: EntryDetails },
): Promise<Posted> => {
  for (const { amountMicros } of items) requirePositive(amountMicros);
  const outcome = await insertRefund(db, { accountId, ofEntry: captureId, items, details });
  return acceptOutcome(outcome, `a refund of entry ${captureId}`);
};

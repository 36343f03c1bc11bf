import type { EntryId } from '../../contract/wallet.ts';
import type { Spend } from './hold.ts';
import { type Posted, postEntry } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';
import type { Till } from './wallet-deps.ts';

export interface HeldPart extends Spend {
  holdId: EntryId;
}

/** Spends what was held, in whole or in part; never more than the hold has left. */
export const capture = (
  till: Till,
  { accountId, amountMicros, cause, holdId, details = {} }: HeldPart,
): Promise<Posted> => {
  requirePositive(amountMicros);
  return postEntry(till, {
    accountId,
    kind: 'CAPTURE',
    cause,
    postings: { HELD: -amountMicros, REVENUE: amountMicros },
    ofEntry: holdId,
    details,
  });
};

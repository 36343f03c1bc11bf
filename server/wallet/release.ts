import type { HeldPart } from './capture.ts';
import { type Posted, postEntry } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';
import type { Till } from './wallet-deps.ts';

/** Makes what was held available again, in whole or in part; never more than the hold has left. */
export const release = (
  till: Till,
  { accountId, amountMicros, cause, holdId, details = {} }: HeldPart,
): Promise<Posted> => {
  requirePositive(amountMicros);
  return postEntry(till, {
    accountId,
    kind: 'RELEASE',
    cause,
    postings: { HELD: -amountMicros, AVAILABLE: amountMicros },
    ofEntry: holdId,
    details,
  });
};

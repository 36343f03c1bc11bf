import type { Spend } from './hold.ts';
import { type Posted, postEntry } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';
import type { Till } from './wallet-deps.ts';

/** Hold and capture in one: what is certain to be used is paid directly. Throws E_BALANCE_TOO_LOW. */
export const spend = (
  till: Till,
  { accountId, amountMicros, cause, details = {} }: Spend,
): Promise<Posted> => {
  requirePositive(amountMicros);
  return postEntry(till, {
    accountId,
    kind: 'CAPTURE',
    cause,
    postings: { AVAILABLE: -amountMicros, REVENUE: amountMicros },
    details,
  });
};

import type { AccountId } from '../../contract/accounts.ts';
import type { EntryDetails } from './ledger-store.ts';
import { type Posted, postEntry } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';
import type { Till } from './wallet-deps.ts';

export interface Spend {
  accountId: AccountId;
  amountMicros: bigint;
  /** What is paid for, such as a batch: the same cause is paid once. */
  cause: string;
  details?: EntryDetails;
}

/** Sets money aside until it is captured or released. Throws E_BALANCE_TOO_LOW. */
export const hold = (
  till: Till,
  { accountId, amountMicros, cause, details = {} }: Spend,
): Promise<Posted> => {
  requirePositive(amountMicros);
  return postEntry(till, {
    accountId,
    kind: 'HOLD',
    cause,
    postings: { AVAILABLE: -amountMicros, HELD: amountMicros },
    details,
  });
};

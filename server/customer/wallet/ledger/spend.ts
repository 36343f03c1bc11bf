import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { SpendDeps } from '../wallet-deps.ts';
import type { EntryDetails } from './ledger-store.ts';
import { type Posted, postEntry } from './post-entry.ts';
import { requirePositive } from './require-positive.ts';

export interface Spend {
  accountId: AccountId;
  amountMicros: bigint;
  /** What is paid for, such as a batch: the same cause is paid once. */
  cause: string;
  details?: EntryDetails;
  /** For simulators: then money of test cards pays for it, and no limit holds. */
  simulated?: boolean | undefined;
}

/** Pays for something that is sent; what can't be sent is refunded later. Throws E_BALANCE_TOO_LOW. */
export const spend = (
  deps: SpendDeps,
  { accountId, amountMicros, cause, details = {}, simulated }: Spend,
): Promise<Posted> => {
  requirePositive(amountMicros);
  return postEntry(deps, {
    accountId,
    kind: 'CAPTURE',
    cause,
    postings: { AVAILABLE: -amountMicros, REVENUE: amountMicros },
    details,
    sandbox: simulated,
  });
};

import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { markTopUpAsked } from '../store.ts';
import type { SpendDeps } from '../wallet-deps.ts';

/** The task that a spend below the threshold enqueues. */
export const AUTO_TOP_UP = 'wallet.auto-top-up';

/** Enqueues an automatic top-up if one is due, within the given transaction. Only one runs at a time. */
export const requestAutoTopUp = async ({ db, queue }: SpendDeps, accountId: AccountId): Promise<void> => {
  if (await markTopUpAsked(db, accountId)) await queue.send(AUTO_TOP_UP, { accountId }, { db });
};

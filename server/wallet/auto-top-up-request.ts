import type { AccountId } from '../../contract/accounts.ts';
import { markTopUpAsked } from './store.ts';
import type { Till } from './wallet-deps.ts';

/** The queue's name for the work that a spend below the threshold asks for. */
export const AUTO_TOP_UP = 'wallet.auto-top-up';

/** Asks for an automatic top-up where one is wanted, within the transaction given. Only one is ever under way. */
export const requestAutoTopUp = async ({ db, queue }: Till, accountId: AccountId): Promise<void> => {
  if (await markTopUpAsked(db, accountId)) await queue.send(AUTO_TOP_UP, { accountId }, { db });
};

import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { CardProcessor } from './card-processor.ts';
import { listAllCards, markCardRemoved } from './cards/card-store.ts';
import { FORGET_CARD } from './cards/remove-card.ts';
import { lockWallet, updateWallet } from './store.ts';
import type { SpendDeps } from './wallet-deps.ts';

/**
 * Turns automatic top-up off and removes every card, in the transaction that closes the account. The balance stays: the
 * operator settles it with the customer, and later refunds still reach it.
 */
export const closeWallet = async (
  { db, queue, processor }: SpendDeps & { processor: Pick<CardProcessor, 'name'> },
  accountId: AccountId,
): Promise<void> => {
  await lockWallet(db, accountId);
  await updateWallet(db, accountId, {
    auto_charge: false,
    auto_charge_wanted: false,
    auto_charge_stopped: '',
    card_id: null,
  });
  for (const card of await listAllCards(db, accountId)) {
    await markCardRemoved(db, card.id);
    // Only the provider in use can be asked to forget a card.
    if (card.processor === processor.name)
      await queue.send(FORGET_CARD, { customerRef: card.customerRef, methodRef: card.methodRef }, { db });
  }
};

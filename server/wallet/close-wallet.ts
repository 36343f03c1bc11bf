import type { AccountId } from '../../contract/accounts.ts';
import type { CardProcessor } from './card-processor.ts';
import { listAllCards, markCardRemoved } from './card-store.ts';
import { FORGET_CARD } from './remove-card.ts';
import { lockWallet, updateWallet } from './store.ts';
import type { Till } from './wallet-deps.ts';

/**
 * Ends automatic top-up and forgets every card, in the transaction that closes the account. The balance stays as it
 * is: the operator settles it with the customer, and what is refunded later still reaches it.
 */
export const closeWallet = async (
  { db, queue, processor }: Till & { processor: Pick<CardProcessor, 'name'> },
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
    // A card of another provider than the one in use can't be told of from here.
    if (card.processor === processor.name)
      await queue.send(FORGET_CARD, { customerRef: card.customerRef, methodRef: card.methodRef }, { db });
  }
};

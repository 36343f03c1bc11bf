import { z } from 'zod';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { CardId } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { CARD_REMOVED } from '../auto-top-up/reasons.ts';
import { lockWallet, updateWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { findCard, listCards, markCardRemoved, storeDefaultCard } from './card-store.ts';

/** The queue makes the provider forget the card after we did: the provider may be out of reach just now. */
export const FORGET_CARD = 'wallet.forget-card';
export const forgottenCard = z.object({ customerRef: z.string(), methodRef: z.string() });

/** The newest remaining card becomes the default; automatic top-up with the removed one ends. */
export const removeCard = (
  { db, queue, processor }: Pick<WalletDeps, 'db' | 'queue' | 'processor'>,
  accountId: AccountId,
  cardId: CardId,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const owner = { accountId, processor: processor.name };
    const wallet = await lockWallet(trx, accountId);
    const card = await findCard(trx, owner, cardId);
    if (!card) throw new DomainError('E_CARD_UNKNOWN');
    await markCardRemoved(trx, cardId);
    const newest = (await listCards(trx, owner)).at(-1);
    if (card.isDefault && newest) await storeDefaultCard(trx, owner, newest.id);
    if (wallet.cardId === cardId)
      await updateWallet(trx, accountId, {
        auto_charge: false,
        card_id: null,
        ...(wallet.autoCharge && { auto_charge_stopped: CARD_REMOVED }),
      });
    await queue.send(FORGET_CARD, { customerRef: card.customerRef, methodRef: card.methodRef }, { db: trx });
  });

import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { reachProvider } from '../payments/reach-provider.ts';
import { lockWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { type CardRow, findCardByMethod, findCustomer, insertCard, listCards } from './card-store.ts';

const MAX_CARDS = 20;

/**
 * Stores the card that the provider's form confirmed. The same card again is the same tile; the first is the default.
 */
export const keepCard = async (
  { db, processor, log }: Pick<WalletDeps, 'db' | 'processor' | 'log'>,
  accountId: AccountId,
  auth: string,
): Promise<CardRow> => {
  const owner = { accountId, processor: processor.name };
  const customerRef = await findCustomer(db, owner);
  const confirmed = customerRef && (await reachProvider(log, processor.confirmCard(auth, customerRef)));
  if (!confirmed) throw new DomainError('E_CARD_NOT_CONFIRMED');
  return db.transaction().execute(async (trx) => {
    await lockWallet(trx, accountId);
    const known = await findCardByMethod(trx, owner, confirmed.methodRef);
    if (known) return known;
    const cards = await listCards(trx, owner);
    if (cards.length >= MAX_CARDS) throw new DomainError('E_TOO_MANY_CARDS', { maximum: MAX_CARDS });
    return insertCard(trx, owner, { ...confirmed, isDefault: cards.length === 0 });
  });
};

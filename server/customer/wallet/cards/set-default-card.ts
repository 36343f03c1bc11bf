import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { CardId } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { lockWallet } from '../store.ts';
import type { WalletDeps } from '../wallet-deps.ts';
import { findCard, storeDefaultCard as updateDefaultCard } from './card-store.ts';

export const setDefaultCard = (
  { db, processor }: Pick<WalletDeps, 'db' | 'processor'>,
  accountId: AccountId,
  cardId: CardId,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const owner = { accountId, processor: processor.name };
    await lockWallet(trx, accountId);
    if (!(await findCard(trx, owner, cardId))) throw new DomainError('E_CARD_UNKNOWN');
    await updateDefaultCard(trx, owner, cardId);
  });

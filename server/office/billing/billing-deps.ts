import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { BillingContact } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { ThreadPool } from '../../ground/worker-threads/index.ts';

export interface BillingDeps {
  db: Db;
  contactOf: (accountId: AccountId) => Promise<BillingContact | undefined>;
  workshop: ThreadPool;
}

export const requireContact = async (
  { contactOf }: Pick<BillingDeps, 'contactOf'>,
  accountId: AccountId,
): Promise<BillingContact> => {
  const contact = await contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  return contact;
};

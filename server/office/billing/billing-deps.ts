import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Contact } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Workshop } from '../../ground/worker-threads/index.ts';

export interface BillingDeps {
  db: Db;
  contactOf: (accountId: AccountId) => Promise<Contact | undefined>;
  workshop: Workshop;
}

export const requireContact = async (
  { contactOf }: Pick<BillingDeps, 'contactOf'>,
  accountId: AccountId,
): Promise<Contact> => {
  const contact = await contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  return contact;
};

import type { AccountId } from '../../contract/accounts.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Contact } from '../wallet/index.ts';
import type { Workshop } from '../workshop/index.ts';

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

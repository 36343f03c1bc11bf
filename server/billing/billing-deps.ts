import type { AccountId } from '../../contract/accounts.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Contact } from '../wallet/index.ts';

export interface BillingDeps {
  db: Db;
  contactOf: (accountId: AccountId) => Promise<Contact | undefined>;
}

export const requireContact = async ({ contactOf }: BillingDeps, accountId: AccountId): Promise<Contact> => {
  const contact = await contactOf(accountId);
  if (!contact) throw new DomainError('E_NOT_FOUND');
  return contact;
};

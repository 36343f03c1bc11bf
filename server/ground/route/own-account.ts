import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../domain-error.ts';
import type { Caller } from './call.ts';

/** Another account and one that doesn't exist get the same answer. */
export const requireOwnAccount = (caller: Caller, accountId: AccountId): void => {
  if (caller.accountId !== accountId) throw new DomainError('E_NOT_FOUND');
};

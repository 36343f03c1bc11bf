import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { findByEmail, readAccount } from '../store.ts';
import { normalisePassword } from './password.ts';

interface Confirmation {
  accountId: AccountId;
  /** Typed again by somebody who is signed in. */
  password: string;
  address: string;
}

/** Refuses a wrong password; returns the hash that it was compared with. An open session must not allow guessing. */
export const confirmPassword = async (
  { db, limits, passwords, log }: Pick<AccountsDeps, 'db' | 'limits' | 'passwords' | 'log'>,
  { accountId, password, address }: Confirmation,
): Promise<string> => {
  if (password === '') throw new DomainError('E_PASSWORD_EMPTY');
  await limits.consume('confirm-account', accountId);
  const { email } = await readAccount(db, accountId);
  const hash = (await findByEmail(db, email))?.passwordHash ?? null;
  const right = await passwords.verify({ password: normalisePassword(password), hash, from: address });
  if (!right || !hash) {
    log.warn({ account: accountId, address }, 'a password was confirmed wrongly');
    throw new DomainError('E_PASSWORD_WRONG');
  }
  await limits.forgive('confirm-account', accountId);
  return hash;
};

import type { AccountId } from '../../../contract/customer/accounts.ts';
import { VIEW_MINUTES } from '../../../contract/customer/customer-states.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { confirmPassword } from './sessions/confirm-password.ts';
import { insertViewSession } from './sessions/session-store.ts';
import { hashToken, newToken } from './sessions/token.ts';
import { findContact, readAccount } from './store.ts';

interface Viewing {
  accountId: AccountId;
  by: AccountId;
  /** The admin's own: with it, things can also be changed. */
  password: string | undefined;
  address: string;
}

/** A session in an account's place, for a short time: it is never extended, and shows no secrets. */
export const viewAccount = async (
  deps: Pick<AccountsDeps, 'db' | 'limits' | 'passwords' | 'log'>,
  { accountId, by, password, address }: Viewing,
) => {
  const mayChange = password !== undefined;
  if (mayChange) await confirmPassword(deps, { accountId: by, password, address });
  const contact = await findContact(deps.db, accountId);
  if (!contact?.active) throw new DomainError('E_NOT_FOUND');
  const token = newToken();
  const until = await insertViewSession(deps.db, {
    tokenHash: hashToken(token),
    accountId,
    viewerId: by,
    mayChange,
    lifetimeSeconds: VIEW_MINUTES * 60,
  });
  if (!until)
    throw new DomainError(
      (await readAccount(deps.db, accountId)).admin ? 'E_VIEW_ADMIN' : 'E_ACCOUNT_CLOSED',
    );
  return { token, email: contact.email, mayChange, until };
};

import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps, SignedIn } from '../accounts-deps.ts';
import { accountMails } from '../mails/account-mails.ts';
import { findMailTokenAccount, removeMailTokens, takeMailToken } from '../mails/mail-token-store.ts';
import { activateAccount, lockAccount, setPasswordHash } from '../store.ts';
import { acceptPassword, normalisePassword } from './password.ts';
import { startSession } from './session.ts';
import { removeSessions } from './session-store.ts';
import { hashToken, isToken } from './token.ts';

interface Reset {
  token: string;
  password: string;
  confirmPassword: string;
  language: Language;
  address: string;
}

/**
 * The link proves that the mailbox is theirs, so it also activates the account; every session and every other link
 * ends.
 */
export const resetPassword = async (
  { db, queue, limits, passwords }: AccountsDeps,
  { token, password: typed, confirmPassword, language, address }: Reset,
): Promise<SignedIn> => {
  const password = acceptPassword(typed);
  if (password !== normalisePassword(confirmPassword)) throw new DomainError('E_PASSWORDS_DIFFER');
  await limits.consume('token-address', address);
  const key = { tokenHash: hashToken(token), purpose: 'reset' as const };
  // Looked up before hashing: an invented token must not cost 19 MiB.
  const accountId = isToken(token) ? await findMailTokenAccount(db, key) : undefined;
  if (!accountId) throw new DomainError('E_TOKEN_INVALID');
  const passwordHash = await passwords.hash(password, address);
  const { email, signedIn } = await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (!account || !(await takeMailToken(trx, key))) throw new DomainError('E_TOKEN_INVALID');
    await setPasswordHash(trx, accountId, passwordHash);
    await activateAccount(trx, accountId);
    await removeMailTokens(trx, accountId, ['activate', 'reset']);
    await removeSessions(trx, accountId);
    if (account.activatedAt)
      await accountMails.request({ queue, db: trx }, { kind: 'password-changed', accountId, language });
    return { email: account.email, signedIn: { accountId, token: await startSession(trx, accountId) } };
  });
  await limits.giveBack('token-address', address);
  // The owner of the mailbox must not be slowed down by the guesses before, nor be refused for their own.
  await limits.forgive('login-account', email);
  await limits.forgive('login-account-address', `${email} ${address}`);
  return signedIn;
};

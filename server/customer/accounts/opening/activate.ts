import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps, SignedIn } from '../accounts-deps.ts';
import { findMailTokenAccount, removeMailTokens, takeMailToken } from '../mails/mail-token-store.ts';
import { startSession } from '../sessions/session.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { activateAccount, lockAccount } from '../store.ts';

/** Following the link proves that the mailbox is theirs, so it also signs in. */
export const activate = async (
  { db, limits }: Pick<AccountsDeps, 'db' | 'limits'>,
  { token, address }: { token: string; address: string },
): Promise<SignedIn> => {
  await limits.consume('token-address', address);
  if (!isToken(token)) throw new DomainError('E_TOKEN_INVALID');
  const key = { tokenHash: hashToken(token), purpose: 'activate' as const };
  const signedIn = await db.transaction().execute(async (trx) => {
    const accountId = await findMailTokenAccount(trx, key);
    if (!accountId) throw new DomainError('E_TOKEN_INVALID');
    await lockAccount(trx, accountId);
    if (!(await takeMailToken(trx, key))) throw new DomainError('E_TOKEN_INVALID');
    await activateAccount(trx, accountId);
    await removeMailTokens(trx, accountId, ['activate']);
    return { accountId, token: await startSession(trx, accountId) };
  });
  await limits.giveBack('token-address', address);
  return signedIn;
};

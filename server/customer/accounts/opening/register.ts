import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { findInvitationByToken, type InvitationRow, takeInvitation } from '../admins/invitation-store.ts';
import { acceptEmail } from '../email.ts';
import { accountMails } from '../mails/account-mails.ts';
import { removeMailTokens } from '../mails/mail-token-store.ts';
import { acceptPassword } from '../sessions/password.ts';
import { hashToken, isToken } from '../sessions/token.ts';
import { findByEmail, lockAccount, setPasswordHash } from '../store.ts';
import { insertWholeAccount } from './create-account.ts';

interface Claim {
  email: string;
  password: string;
  language: Language;
  address: string;
}

interface Registering extends Claim {
  /** The token of an invitation, as it was sent. */
  invitation?: string | undefined;
}

/** Longer than any of the cases below takes, so that the response time does not reveal which one it was. */
const ANSWER_AFTER_MS = 400;

const claimNewEmail = async (
  deps: AccountsDeps,
  { email, password, language, address }: Claim,
  invitation: InvitationRow | undefined,
): Promise<boolean> => {
  const { db, queue, passwords, secretKey } = deps;
  const passwordHash = await passwords.hash(password, address);
  return db.transaction().execute(async (trx) => {
    const role = invitation?.adminRole;
    const account = {
      email,
      passwordHash,
      admin: role != null,
      ...(role && { role }),
      active: false,
      language,
    };
    const accountId = await insertWholeAccount(trx, account, secretKey);
    if (!accountId) return false;
    if (invitation && !(await takeInvitation(trx, invitation.id)))
      throw new DomainError('E_INVITATION_NEEDED');
    await accountMails.request({ queue, db: trx }, { kind: 'activate', accountId, language });
    return true;
  });
};

/**
 * The email has an account already. If it is active, a mail tells its owner. If it is not, nobody has proven yet that
 * the mailbox is theirs, and the first to register may have been a stranger. The same password again means the same
 * person, who lost the mail: it is sent again. With another password, two people may be claiming the email, and a link
 * that activates the account with either password could give it to the wrong one. So neither password counts any more,
 * the links sent so far stop working, and a mail asks the owner of the mailbox to choose a password.
 */
const claimKnownEmail = async (
  deps: AccountsDeps,
  { email, password, language, address }: Claim,
): Promise<void> => {
  const { db, queue, passwords } = deps;
  const seen = await findByEmail(db, email);
  const samePassword = await passwords.verify({
    password,
    hash: seen && !seen.activatedAt ? seen.passwordHash : null,
    from: address,
  });
  if (!seen) return;
  await db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, seen.id);
    if (!account) return;
    const accountId = account.id;
    if (account.activatedAt) {
      await accountMails.request({ queue, db: trx }, { kind: 'already-registered', accountId, language });
      return;
    }
    if (!samePassword || account.passwordHash !== seen.passwordHash) {
      await setPasswordHash(trx, accountId, null);
      await removeMailTokens(trx, accountId, ['activate']);
    }
    await accountMails.request({ queue, db: trx }, { kind: 'activate', accountId, language });
  });
};

const claimEmail = async (
  deps: AccountsDeps,
  claim: Claim,
  invitation: InvitationRow | undefined,
): Promise<void> => {
  const known = await findByEmail(deps.db, claim.email);
  // Of two concurrent registrations, one finds on writing that the email exists by now.
  if (known || !(await claimNewEmail(deps, claim, invitation))) await claimKnownEmail(deps, claim);
};

/**
 * Only whoever got the mail knows its token. A used one still serves its email, to have the activation mail sent again.
 */
const requireInvitation = async (
  { db, registration }: AccountsDeps,
  { email, token }: { email: string; token: string | undefined },
): Promise<InvitationRow | undefined> => {
  const found =
    token !== undefined && isToken(token) ? await findInvitationByToken(db, hashToken(token)) : undefined;
  const invitation = found?.email === email ? found : undefined;
  // Admins come by invitation whoever else may register.
  if (registration === 'closed' && !invitation?.adminRole) throw new DomainError('E_REGISTRATION_CLOSED');
  if (registration === 'invitation' && !invitation) throw new DomainError('E_INVITATION_NEEDED');
  return invitation;
};

/** Returns nothing: only the mail says whether the email was new. */
export const register = async (
  deps: AccountsDeps,
  { address, language, invitation: token, ...typed }: Registering,
): Promise<void> => {
  if (deps.registration === 'closed' && token === undefined) throw new DomainError('E_REGISTRATION_CLOSED');
  const password = acceptPassword(typed.password);
  const email = acceptEmail(typed.email);
  await deps.limits.consume('register-address', address);
  const invitation = await requireInvitation(deps, { email, token });
  await deps.limits.consume('mail-account', email);
  await Promise.all([
    sleep(ANSWER_AFTER_MS),
    claimEmail(deps, { email, password, language, address }, invitation),
  ]);
};

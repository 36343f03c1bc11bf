import { setTimeout as sleep } from 'node:timers/promises';
import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps, SignedIn } from '../accounts-deps.ts';
import { acceptEmail } from '../email.ts';
import { accountMails } from '../mails/account-mails.ts';
import { findByEmail, updateSetting } from '../store.ts';
import { normalisePassword } from './password.ts';
import { startSessionForPassword } from './session.ts';

interface Attempt {
  email: string;
  password: string;
  language: Language;
  address: string;
}

/** Whether an attempt was left. */
const isWithinLimit = async (consumed: Promise<void>): Promise<boolean> => {
  try {
    await consumed;
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'E_TOO_MANY_REQUESTS') return false;
    throw error;
  }
};

/** From here on an email whose password is being guessed is slowed down. */
const UNHURRIED = 10;
const FIRST_WAIT_MS = 250;
/** The owner waits for this long in the worst case, and must not take it for a fault. */
const LONGEST_WAIT_MS = 3_000;

/** How long the n-th attempt for an email waits. The owner waits as well while others guess. */
export const waitMs = (attempts: number): number =>
  attempts <= UNHURRIED
    ? 0
    : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(20, attempts - UNHURRIED - 1));

export const logIn = async (
  { db, queue, limits, passwords, log }: AccountsDeps,
  { email: typed, password, language, address }: Attempt,
): Promise<SignedIn> => {
  if (password === '') throw new DomainError('E_PASSWORD_EMPTY');
  const email = acceptEmail(typed);
  // Counted before the password is verified, so that concurrent guesses are counted too, and given back if it was
  // right. The address gets only its own point back: otherwise one good account would buy an address any number of
  // guesses at others. Guesses from elsewhere never lock an email, they only slow it down.
  const pair = `${email} ${address}`;
  await limits.consume('login-address', address);
  await limits.consume('login-account-address', pair);
  const attempts = await limits.count('login-account', email);
  if (waitMs(attempts) > 0) await sleep(waitMs(attempts));
  const account = await findByEmail(db, email);
  const passwordHash = account?.passwordHash ?? null;
  const right = await passwords.verify({
    password: normalisePassword(password),
    hash: passwordHash,
    from: address,
  });
  if (!account || !passwordHash || !right) {
    log.warn({ account: account?.id ?? 'unknown', address, attempts }, 'a sign-in failed');
    throw new DomainError('E_BAD_CREDENTIALS');
  }
  await limits.giveBack('login-address', address);
  await limits.forgive('login-account', email);
  await limits.forgive('login-account-address', pair);
  if (account.closedAt) throw new DomainError('E_ACCOUNT_CLOSED');
  if (!account.activatedAt) {
    if (await isWithinLimit(limits.consume('mail-account', email)))
      await accountMails.request({ queue }, { kind: 'activate', accountId: account.id, language });
    throw new DomainError('E_NOT_ACTIVATED');
  }
  const token = await startSessionForPassword(db, { accountId: account.id, passwordHash });
  if (!token) throw new DomainError('E_BAD_CREDENTIALS');
  // Mails are written in the language in which the person last signed in.
  if (account.language !== language) await updateSetting(db, account.id, { language });
  return { token, accountId: account.id };
};

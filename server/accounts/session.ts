import type { AccountId } from '../../contract/accounts.ts';
import type { Db } from '../postgres/index.ts';
import type { Caller } from '../route/index.ts';
import { extendSession, insertSession, insertSessionForPassword, readSession } from './session-store.ts';
import { hashToken, isToken, newToken } from './token.ts';

const DAY = 24 * 3600;
/** A session ends this long after it was last used. */
const LIFETIME_SECONDS = 30 * DAY;
/** Moving the end on with every call would write on every read: once a day is enough. */
const STALE_BELOW_SECONDS = LIFETIME_SECONDS - DAY;

export const startSession = async (db: Db, accountId: AccountId): Promise<string> => {
  const token = newToken();
  await insertSession(db, { tokenHash: hashToken(token), accountId, lifetimeSeconds: LIFETIME_SECONDS });
  return token;
};

/** Nothing when the password was changed since it was verified. */
export const startSessionForPassword = async (
  db: Db,
  { accountId, passwordHash }: { accountId: AccountId; passwordHash: string },
): Promise<string | undefined> => {
  const token = newToken();
  const started = await insertSessionForPassword(db, {
    tokenHash: hashToken(token),
    accountId,
    lifetimeSeconds: LIFETIME_SECONDS,
    passwordHash,
  });
  return started ? token : undefined;
};

export const findSession = async (db: Db, token: string): Promise<Caller | undefined> => {
  if (!isToken(token)) return undefined;
  const sessionHash = hashToken(token);
  const session = await readSession(db, sessionHash, STALE_BELOW_SECONDS);
  if (!session) return undefined;
  if (session.stale) await extendSession(db, sessionHash, LIFETIME_SECONDS);
  return { accountId: session.accountId, admin: session.admin, sessionHash };
};

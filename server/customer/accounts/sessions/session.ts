import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Caller } from '../../../ground/route/index.ts';
import {
  extendSession,
  insertSession,
  insertSessionForPassword,
  isConfirmedWithin,
  readSession,
} from './session-store.ts';
import { hashToken, isToken, newToken } from './token.ts';

const DAY = 24 * 3600;
/** A session expires this long after its last use. */
const LIFETIME_SECONDS = 30 * DAY;
/** Extending it at every call would write on every read: once a day is enough. */
const STALE_BELOW_SECONDS = LIFETIME_SECONDS - DAY;

export const startSession = async (db: Db, accountId: AccountId): Promise<string> => {
  const token = newToken();
  await insertSession(db, { tokenHash: hashToken(token), accountId, lifetimeSeconds: LIFETIME_SECONDS });
  return token;
};

/** Undefined if the password was changed since it was verified. */
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
  const { accountId, admin, role, viewerId, mayChange, expiresAt } = session;
  if (viewerId) {
    const viewer = { adminId: viewerId, mayChange, until: expiresAt };
    return admin ? undefined : { accountId, admin, sessionHash, viewer };
  }
  if (session.stale) await extendSession(db, sessionHash, LIFETIME_SECONDS);
  return { accountId, admin, sessionHash, ...(admin && { role }) };
};

/** How long what is most secret is shown after the password was typed. */
const CONFIRMED_SECONDS = 15 * 60;

/** Whether the person typed the password in this session a short while ago, signing in included. */
export const isConfirmed = (db: Db, sessionHash: Buffer): Promise<boolean> =>
  isConfirmedWithin(db, sessionHash, CONFIRMED_SECONDS);

/** Whose session it is, if it has not ended and is still an admin's. */
export const findAdminSession = async (
  db: Db,
  sessionHash: Buffer,
): Promise<Pick<Caller, 'accountId' | 'role'> | undefined> => {
  const session = await readSession(db, sessionHash, STALE_BELOW_SECONDS);
  return session?.admin && !session.viewerId
    ? { accountId: session.accountId, role: session.role }
    : undefined;
};

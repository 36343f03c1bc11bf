import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import { type Db, inSeconds, now, prepared, preparedPool } from '../../../ground/postgres/index.ts';
import type { AccountsTable } from '../store.ts';

interface SessionsTable {
  token_hash: Buffer;
  account_id: AccountId;
  expires_at: Date;
  /** When the password, or a link from a mail, was last given in this session. */
  confirmed_at: Date | null;
  viewer_id: AccountId | null;
  viewer_may_change: Generated<boolean>;
}
type Tables = { accounts: AccountsTable; sessions: SessionsTable };
const tables = (db: Db) => db.withTables<Tables>();

interface NewSession {
  tokenHash: Buffer;
  accountId: AccountId;
  lifetimeSeconds: number;
}

export const insertSession = async (
  db: Db,
  { tokenHash, accountId, lifetimeSeconds }: NewSession,
): Promise<void> => {
  await tables(db)
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      account_id: accountId,
      expires_at: inSeconds(lifetimeSeconds),
      confirmed_at: now,
    })
    .execute();
};

/**
 * Only while the account still has this password: a session started with the old one must not survive a concurrent
 * reset. The share lock waits for such a reset and then sees its new hash.
 */
export const insertSessionForPassword = async (
  db: Db,
  { tokenHash, accountId, lifetimeSeconds, passwordHash }: NewSession & { passwordHash: string },
): Promise<boolean> => {
  const inserted = await tables(db)
    .insertInto('sessions')
    .columns(['token_hash', 'account_id', 'expires_at', 'confirmed_at'])
    .expression((eb) =>
      eb
        .selectFrom('accounts')
        .select([
          sql<Buffer>`${tokenHash}::bytea`.as('token_hash'),
          'id as account_id',
          inSeconds(lifetimeSeconds).as('expires_at'),
          now.as('confirmed_at'),
        ])
        .where('id', '=', accountId)
        .where('password_hash', '=', passwordHash)
        .where('closed_at', 'is', null)
        .forShare(),
    )
    .returning('account_id')
    .executeTakeFirst();
  return inserted !== undefined;
};

interface Session {
  accountId: AccountId;
  admin: boolean;
  role: AdminRole;
  viewerId: AccountId | null;
  mayChange: boolean;
  expiresAt: Date;
  stale: boolean;
}

/**
 * Written out and prepared: every call of a page begins with it, and to build or plan it takes several times as long as
 * the lookup itself.
 */
export const readSession = async (
  db: Db,
  tokenHash: Buffer,
  staleBelowSeconds: number,
): Promise<Session | undefined> => {
  // An admin who is one no more sees no account but their own.
  const { rows } = await sql<Session>`${prepared('session')}
    select accounts.id as "accountId", accounts.admin, accounts.admin_role as role,
      sessions.viewer_id as "viewerId", sessions.viewer_may_change as "mayChange", sessions.expires_at as "expiresAt",
      sessions.expires_at < ${inSeconds(staleBelowSeconds)} as stale
    from sessions
    join accounts on accounts.id = sessions.account_id
    left join accounts as viewer on viewer.id = sessions.viewer_id
    where sessions.token_hash = ${tokenHash} and sessions.expires_at > now() and accounts.closed_at is null
      and (sessions.viewer_id is null or viewer.admin and viewer.closed_at is null)`.execute(
    preparedPool(db),
  );
  return rows[0];
};

/** Until when; undefined for an account that is closed or an admin's. Its password counts as not given. */
export const insertViewSession = async (
  db: Db,
  {
    tokenHash,
    accountId,
    viewerId,
    mayChange,
    lifetimeSeconds,
  }: NewSession & { viewerId: AccountId; mayChange: boolean },
): Promise<Date | undefined> => {
  const { rows } = await sql<{ until: Date }>`
    insert into sessions (token_hash, account_id, expires_at, viewer_id, viewer_may_change)
    select ${tokenHash}, id, ${inSeconds(lifetimeSeconds)}, ${viewerId}, ${mayChange} from accounts
    where id = ${accountId} and closed_at is null and not admin
    returning expires_at as until`.execute(db);
  return rows[0]?.until;
};

export const markConfirmed = async (db: Db, tokenHash: Buffer): Promise<void> => {
  await tables(db)
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('token_hash', '=', tokenHash)
    .execute();
};

/** Whether the password was given in this session within the last seconds. */
export const isConfirmedWithin = async (db: Db, tokenHash: Buffer, seconds: number): Promise<boolean> => {
  const found = await tables(db)
    .selectFrom('sessions')
    .select('account_id')
    .where('token_hash', '=', tokenHash)
    .where('confirmed_at', '>', inSeconds(-seconds))
    .executeTakeFirst();
  return found !== undefined;
};

export const extendSession = async (db: Db, tokenHash: Buffer, lifetimeSeconds: number): Promise<void> => {
  await tables(db)
    .updateTable('sessions')
    .set({ expires_at: inSeconds(lifetimeSeconds) })
    .where('token_hash', '=', tokenHash)
    .execute();
};

export const removeSession = async (db: Db, tokenHash: Buffer): Promise<void> => {
  await tables(db).deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
};

/** Those in which they see another's account. */
export const removeViewSessions = async (db: Db, viewerId: AccountId): Promise<void> => {
  await tables(db).deleteFrom('sessions').where('viewer_id', '=', viewerId).execute();
};

export const removeSessions = async (db: Db, accountId: AccountId): Promise<void> => {
  await tables(db).deleteFrom('sessions').where('account_id', '=', accountId).execute();
  await removeViewSessions(db, accountId);
};

export const removeExpiredSessions = async (db: Db): Promise<void> => {
  await tables(db).deleteFrom('sessions').where('expires_at', '<=', now).execute();
};

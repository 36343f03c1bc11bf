import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';

export const markClosed = async (db: Db, accountId: AccountId): Promise<void> => {
  await sql`update accounts set closed_at = now(), webhook = '' where id = ${accountId}`.execute(db);
};

/**
 * Whether it is open. The row stays locked, so nobody can close the account before the transaction ends; waits for a
 * closing in progress.
 */
export const isOpen = async (
  db: Db,
  accountId: AccountId,
  { locked }: { locked: boolean } = { locked: false },
): Promise<boolean> => {
  const { rows } = await sql`
    select from accounts where id = ${accountId} and closed_at is null ${locked ? sql`for share` : sql``}`.execute(
    db,
  );
  return rows.length > 0;
};

/**
 * A condition that becomes part of another statement: the account of this id is open. A scalar subquery, so that each
 * account costs one index look-up.
 */
export const isOpenAccount = (id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(select a.closed_at is null from accounts a where a.id = ${id})`;

/**
 * Whether it is closed and, if a moment is given, was closed before it. Nobody can reopen it before the transaction
 * ends; waits for a reopening in progress.
 */
export const holdClosed = async (
  db: Db,
  { accountId, before }: { accountId: AccountId; before?: Date },
): Promise<boolean> => {
  const { rows } = await sql`
    select from accounts where id = ${accountId} and closed_at < ${before ?? 'infinity'}::timestamptz
    for share`.execute(db);
  return rows.length > 0;
};

/**
 * Whether it could be reopened: after the given days its data is being removed, and half an account is useless. Days
 * have 24 hours, as in retention: PostgreSQL's own days follow the connection's time zone.
 */
export const markReopened = async (
  db: Db,
  { accountId, withinDays }: { accountId: AccountId; withinDays: number },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update accounts set closed_at = null
    where id = ${accountId} and closed_at > now() - make_interval(hours => 24 * ${withinDays}::int)
      and anonymised_at is null`.execute(db);
  return numAffectedRows === 1n;
};

interface ClosedAccount {
  id: AccountId;
  closedAt: Date;
}

/** Which part of a closed account's data is removed: names, or what was kept for accounting. */
export type ClosedStage = 'anonymised' | 'forgotten';

/** Accounts that were closed before the given moment and still have that part, the earliest closed first. */
export const listClosedBefore = async (
  db: Db,
  { before, stage }: { before: Date; stage: ClosedStage },
): Promise<ClosedAccount[]> => {
  const { rows } = await sql<ClosedAccount>`
    select id, closed_at as "closedAt" from accounts
    where closed_at < ${before}
      and ${stage === 'anonymised' ? sql`anonymised_at is null` : sql`anonymised_at is not null and forgotten_at is null`}
    order by closed_at, id`.execute(db);
  return rows;
};

/** Whether nothing that names people is left of it. */
export const isAnonymised = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const { rows } = await sql`
    select from accounts where id = ${accountId} and anonymised_at is not null`.execute(db);
  return rows.length > 0;
};

/**
 * All accounts that were closed before and no longer name anybody, whatever else is left of them: nothing reopens them.
 */
export const listEverClosedBefore = async (db: Db, before: Date): Promise<AccountId[]> => {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts where closed_at < ${before} and anonymised_at is not null`.execute(db);
  return rows.map(({ id }) => id);
};

interface Anonymity {
  accountId: AccountId;
  email: string;
  passwordHash: string;
  secretHash: Buffer;
  secretSealed: Buffer;
  at: Date;
}

/** Unless somebody reopened it meanwhile. */
export const writeAnonymity = async (
  db: Db,
  { accountId, email, passwordHash, secretHash, secretSealed, at }: Anonymity,
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update accounts set former_email = email, email = ${email}, password_hash = ${passwordHash}, webhook = '',
      receive_email = false, secret_hash = ${secretHash}, secret_sealed = ${secretSealed},
      test_secret_hash = null, test_secret_sealed = null, anonymised_at = ${at}
    where id = ${accountId} and closed_at is not null and anonymised_at is null`.execute(db);
  return numAffectedRows === 1n;
};

/** The last data that identifies the owner. */
export const writeForgotten = async (
  db: Db,
  { accountId, at }: { accountId: AccountId; at: Date },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update accounts set former_email = null, forgotten_at = ${at}
    where id = ${accountId} and anonymised_at is not null and forgotten_at is null`.execute(db);
  return numAffectedRows === 1n;
};

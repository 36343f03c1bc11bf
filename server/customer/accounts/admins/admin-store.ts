import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { removeViewSessions } from '../sessions/session-store.ts';

interface AdminRow {
  id: AccountId;
  email: string;
  role: AdminRole;
  createdAt: Date;
  /** Who registered by their invitation and has not activated the account yet will be an admin when they do. */
  activated: boolean;
}

const ADMIN = sql`id, email, admin_role as role, created_at as "createdAt", activated_at is not null as activated
  from accounts where admin and closed_at is null`;

export const listAdmins = async (db: Db): Promise<AdminRow[]> => {
  const { rows } = await sql<AdminRow>`select ${ADMIN} order by email limit 1000`.execute(db);
  return rows;
};

/** Owners change one after another, so that one always remains. For a transaction. */
export const lockAdmins = async (trx: Db): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('accounts_close_admin', 0))`.execute(trx);
};

export const findAdmin = async (db: Db, accountId: AccountId): Promise<AdminRow | undefined> => {
  const { rows } = await sql<AdminRow>`select ${ADMIN} and id = ${accountId}`.execute(db);
  return rows[0];
};

export const readRole = async (db: Db, accountId: AccountId): Promise<AdminRole | undefined> =>
  (await findAdmin(db, accountId))?.role;

/** Whether it is an owner, and nobody else is. For a transaction. */
export const isLastOwner = async (trx: Db, accountId: AccountId): Promise<boolean> => {
  await lockAdmins(trx);
  const admins = await listAdmins(trx);
  const owners = admins.filter(({ role, activated }) => role === 'owner' && activated);
  return owners.length === 1 && owners[0]?.id === accountId;
};

/** Without a role it is a customer. What they saw of others' accounts ends: it was for another role. */
export const writeRole = async (trx: Db, accountId: AccountId, role: AdminRole | null): Promise<void> => {
  await sql`update accounts set admin = ${role !== null}, admin_role = ${role ?? 'support'}
    where id = ${accountId}`.execute(trx);
  await removeViewSessions(trx, accountId);
};

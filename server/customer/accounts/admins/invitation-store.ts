import { type Generated, sql } from 'kysely';
import type { AccountId, InvitationId } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { type Db, inSeconds, now } from '../../../ground/postgres/index.ts';

interface InvitationsTable {
  id: Generated<InvitationId>;
  email: string;
  language: Language;
  token_hashes: Generated<Buffer[]>;
  invited_by: AccountId;
  admin_role: AdminRole | null;
  created_at: Generated<Date>;
  expires_at: Date;
  used_at: Date | null;
}
type Tables = { invitations: InvitationsTable };
const tables = (db: Db) => db.withTables<Tables>();

const COLUMNS = [
  'id',
  'email',
  'language',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'used_at as usedAt',
  'admin_role as adminRole',
] as const;

/**
 * Replaces an earlier invitation to the same email, even one made at the same moment; the earlier link stops working.
 * Undefined if that one makes an admin and this one a customer.
 */
export const insertInvitation = async (
  trx: Db,
  given: {
    email: string;
    language: Language;
    invitedBy: AccountId;
    adminRole: AdminRole | null;
    lifetimeSeconds: number;
  },
) => {
  const invitation = {
    language: given.language,
    invited_by: given.invitedBy,
    admin_role: given.adminRole,
    expires_at: inSeconds(given.lifetimeSeconds),
  };
  return tables(trx)
    .insertInto('invitations')
    .values({ email: given.email, ...invitation })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({
          ...invitation,
          id: sql<InvitationId>`excluded.id`,
          token_hashes: sql<Buffer[]>`excluded.token_hashes`,
          created_at: now,
          used_at: null,
        })
        .where(sql<boolean>`invitations.admin_role is null or excluded.admin_role is not null
        or invitations.used_at is not null or invitations.expires_at <= now()`),
    )
    .returning(COLUMNS)
    .executeTakeFirst();
};
export type InvitationRow = NonNullable<Awaited<ReturnType<typeof insertInvitation>>>;

const valid = (db: Db) => tables(db).selectFrom('invitations').select(COLUMNS).where('expires_at', '>', now);

export const findInvitation = (db: Db, id: InvitationId): Promise<InvitationRow | undefined> =>
  valid(db).where('id', '=', id).executeTakeFirst();

export const findInvitationByToken = (db: Db, tokenHash: Buffer): Promise<InvitationRow | undefined> =>
  valid(db).where(sql<boolean>`${tokenHash} = any (token_hashes)`).executeTakeFirst();

/** A mail that is sent again has another token; both work. */
export const addInvitationToken = async (db: Db, id: InvitationId, tokenHash: Buffer): Promise<void> => {
  await tables(db)
    .updateTable('invitations')
    .set({ token_hashes: sql<Buffer[]>`token_hashes || ${tokenHash}::bytea` })
    .where('id', '=', id)
    .execute();
};

/** Whether it was still unused: of two registrations with one link, one gets true. */
export const takeInvitation = async (db: Db, id: InvitationId): Promise<boolean> => {
  const used = await tables(db)
    .updateTable('invitations')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
};

/** Those who will be admins are for owners only. */
export const listInvitations = (db: Db, { ofAdmins }: { ofAdmins: boolean }): Promise<InvitationRow[]> =>
  valid(db)
    .$if(!ofAdmins, (query) => query.where('admin_role', 'is', null))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1_000)
    .execute();

/** Returns what was removed. */
export const removeInvitation = (
  db: Db,
  id: InvitationId,
  { ofAdmins }: { ofAdmins: boolean },
): Promise<InvitationRow | undefined> =>
  tables(db)
    .deleteFrom('invitations')
    .where('id', '=', id)
    .$if(!ofAdmins, (query) => query.where('admin_role', 'is', null))
    .returning(COLUMNS)
    .executeTakeFirst();

export const removeExpiredInvitations = async (db: Db): Promise<void> => {
  await tables(db).deleteFrom('invitations').where('expires_at', '<=', now).execute();
};

import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../contract/customer/admin-roles.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { type Db, inSeconds, now } from '../../ground/postgres/index.ts';

export interface AccountsTable {
  id: AccountId;
  email: string;
  password_hash: string | null;
  admin: boolean;
  admin_role: Generated<AdminRole>;
  language: Language;
  time_zone: Generated<string>;
  receive_email: Generated<boolean>;
  webhook: Generated<string>;
  secret_hash: Buffer;
  secret_sealed: Buffer;
  test_secret_hash: Buffer | null;
  test_secret_sealed: Buffer | null;
  activated_at: Date | null;
  created_at: Generated<Date>;
  closed_at: Date | null;
  former_email: string | null;
}
type Tables = { accounts: AccountsTable };

const tables = (db: Db) => db.withTables<Tables>();

interface NewAccount {
  id: AccountId;
  email: string;
  passwordHash: string;
  admin: boolean;
  role?: AdminRole;
  active: boolean;
  language: Language;
  secretHash: Buffer;
  secretSealed: Buffer;
  testSecretHash: Buffer;
  testSecretSealed: Buffer;
}

/** Whether the account was created: of two concurrent requests with the same email, one is. */
export const insertAccount = async (db: Db, account: NewAccount): Promise<boolean> => {
  const inserted = await tables(db)
    .insertInto('accounts')
    .values({
      id: account.id,
      email: account.email,
      password_hash: account.passwordHash,
      admin: account.admin,
      admin_role: account.role ?? 'owner',
      language: account.language,
      secret_hash: account.secretHash,
      secret_sealed: account.secretSealed,
      test_secret_hash: account.testSecretHash,
      test_secret_sealed: account.testSecretSealed,
      activated_at: account.active ? now : null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
};

const STANDING = [
  'id',
  'email',
  'language',
  'password_hash as passwordHash',
  'activated_at as activatedAt',
  'closed_at as closedAt',
] as const;

export const findByEmail = (db: Db, email: string) =>
  tables(db).selectFrom('accounts').select(STANDING).where('email', '=', email).executeTakeFirst();

/**
 * Code that changes an account's password, activation or mail tokens takes this lock first, so that such changes run
 * one after another and never deadlock.
 */
export const lockAccount = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('accounts')
    .select(STANDING)
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();

export const readAccount = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('accounts')
    .select([
      'email',
      'admin',
      'admin_role as role',
      'receive_email as receiveEmail',
      'webhook',
      'secret_sealed as secretSealed',
      'test_secret_sealed as testSecretSealed',
      'created_at as createdAt',
      'time_zone as timeZone',
    ])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();

/** Gives the account a test secret unless it has one; returns the current one. */
export const setTestSecret = async (
  db: Db,
  accountId: AccountId,
  { hash, sealed }: { hash: Buffer; sealed: Buffer },
): Promise<Buffer> => {
  const { testSecretSealed } = await tables(db)
    .updateTable('accounts')
    .set((eb) => ({
      test_secret_hash: eb.fn.coalesce('test_secret_hash', eb.val(hash)),
      test_secret_sealed: eb.fn.coalesce('test_secret_sealed', eb.val(sealed)),
    }))
    .where('id', '=', accountId)
    .returning('test_secret_sealed as testSecretSealed')
    .executeTakeFirstOrThrow();
  return testSecretSealed as Buffer;
};

/** Replaces the account's secret. For a transaction. */
export const replaceApiSecret = async (
  db: Db,
  accountId: AccountId,
  { test, hash, sealed }: { test: boolean; hash: Buffer; sealed: Buffer },
): Promise<void> => {
  await tables(db)
    .updateTable('accounts')
    .set(
      test
        ? { test_secret_hash: hash, test_secret_sealed: sealed }
        : { secret_hash: hash, secret_sealed: sealed },
    )
    .where('id', '=', accountId)
    .execute();
};

/** The account that has this secret, whether it is its test secret, and whether the account was closed. */
export const findBySecretHash = (db: Db, secretHash: Buffer) =>
  tables(db)
    .selectFrom('accounts')
    .select((eb) => [
      'id as accountId',
      eb('secret_hash', '!=', secretHash).$castTo<boolean>().as('test'),
      eb('closed_at', 'is not', null).$castTo<boolean>().as('closed'),
    ])
    .where((eb) => eb.or([eb('secret_hash', '=', secretHash), eb('test_secret_hash', '=', secretHash)]))
    .where('activated_at', 'is not', null)
    .executeTakeFirst();

/** How other rooms contact the person behind an account. */
export const findContact = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('accounts')
    .select((eb) => [
      'email',
      'language',
      'receive_email as receiveEmail',
      'time_zone as timeZone',
      eb('activated_at', 'is not', null).$castTo<boolean>().as('active'),
    ])
    .where('id', '=', accountId)
    .executeTakeFirst();

export const listAccounts = (db: Db, limit: number) =>
  tables(db)
    .selectFrom('accounts')
    .select([...STANDING, 'former_email as formerEmail'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();

/** The emails of accounts, also of closed ones. */
export const readEmails = async (db: Db, accountIds: AccountId[]): Promise<Map<AccountId, string>> => {
  if (accountIds.length === 0) return new Map();
  const rows = await tables(db)
    .selectFrom('accounts')
    .select(['id', 'email', 'former_email as formerEmail'])
    .where('id', 'in', accountIds)
    .execute();
  return new Map(rows.map(({ id, email, formerEmail }) => [id, formerEmail ?? email]));
};

/** The first of these ids that no account has, or ever had: closed accounts keep theirs. */
export const findUnknownAccount = async (db: Db, accountIds: AccountId[]): Promise<AccountId | undefined> => {
  const { rows } = await sql<{ id: AccountId }>`
    select given.id from unnest(${accountIds}::uuid[]) with ordinality given (id, place)
    where not exists (select from accounts a where a.id = given.id) order by place limit 1`.execute(db);
  return rows[0]?.id;
};

/** Accounts whose email contains the text, the newest first. */
export const findByEmailPart = async (db: Db, part: string, limit: number): Promise<AccountId[]> => {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await tables(db)
    .selectFrom('accounts')
    .select('id')
    .where((eb) => eb.or([eb('email', 'ilike', pattern), eb('former_email', 'ilike', pattern)]))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};

export const activateAccount = async (db: Db, accountId: AccountId): Promise<void> => {
  await tables(db)
    .updateTable('accounts')
    .set({ activated_at: now })
    .where('id', '=', accountId)
    .where('activated_at', 'is', null)
    .execute();
};

export const setPasswordHash = async (
  db: Db,
  accountId: AccountId,
  passwordHash: string | null,
): Promise<void> => {
  await tables(db)
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute();
};

export const updateSetting = async (
  db: Db,
  accountId: AccountId,
  setting: { receive_email: boolean } | { webhook: string } | { language: Language },
): Promise<void> => {
  await tables(db).updateTable('accounts').set(setting).where('id', '=', accountId).execute();
};

export const removeUnactivated = async (db: Db, afterSeconds: number): Promise<void> => {
  await tables(db)
    .deleteFrom('accounts')
    .where('activated_at', 'is', null)
    .where('created_at', '<', inSeconds(-afterSeconds))
    .execute();
};

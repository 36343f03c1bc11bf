import type { Generated } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { OldSecretId } from '../../../../contract/customer/integration.ts';
import { type Db, inSeconds, now } from '../../../ground/postgres/index.ts';
import type { AccountsTable } from '../store.ts';

interface OldSecretsTable {
  id: Generated<OldSecretId>;
  account_id: AccountId;
  test: boolean;
  secret_hash: Buffer;
  hint: string;
  ends_at: Date;
}
type Tables = { accounts: AccountsTable; old_secrets: OldSecretsTable };
const tables = (db: Db) => db.withTables<Tables>();

interface OldSecretFacts {
  accountId: AccountId;
  test: boolean;
  hash: Buffer;
  hint: string;
  lifetimeSeconds: number;
}

export const insertOldSecret = async (db: Db, facts: OldSecretFacts): Promise<void> => {
  await tables(db)
    .insertInto('old_secrets')
    .values({
      account_id: facts.accountId,
      test: facts.test,
      secret_hash: facts.hash,
      hint: facts.hint,
      ends_at: inSeconds(facts.lifetimeSeconds),
    })
    .execute();
};

/** The secrets that still work, the last replaced first. */
export const listOldSecrets = (db: Db, accountId: AccountId) =>
  tables(db)
    .selectFrom('old_secrets')
    .select(['id', 'test', 'hint', 'ends_at as endsAt'])
    .where('account_id', '=', accountId)
    .where('ends_at', '>', now)
    .orderBy('ends_at', 'desc')
    .execute();

export const findByOldSecretHash = (db: Db, secretHash: Buffer) =>
  tables(db)
    .selectFrom('old_secrets')
    .innerJoin('accounts', 'accounts.id', 'old_secrets.account_id')
    .select((eb) => [
      'old_secrets.account_id as accountId',
      'old_secrets.test',
      eb('accounts.closed_at', 'is not', null).$castTo<boolean>().as('closed'),
    ])
    .where('old_secrets.secret_hash', '=', secretHash)
    .where('old_secrets.ends_at', '>', now)
    .where('accounts.activated_at', 'is not', null)
    .executeTakeFirst();

/** Returns whether there was an old secret. */
export const removeOldSecret = async (
  db: Db,
  { accountId, id }: { accountId: AccountId; id: OldSecretId },
): Promise<boolean> => {
  const removed = await tables(db)
    .deleteFrom('old_secrets')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  return removed !== undefined;
};

export const removeOldSecrets = async (db: Db, accountId: AccountId): Promise<void> => {
  await tables(db).deleteFrom('old_secrets').where('account_id', '=', accountId).execute();
};

export const removeEndedSecrets = async (db: Db): Promise<void> => {
  await tables(db).deleteFrom('old_secrets').where('ends_at', '<=', now).execute();
};

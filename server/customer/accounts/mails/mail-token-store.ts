import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { type Db, inSeconds, now } from '../../../ground/postgres/index.ts';

export type TokenPurpose = 'activate' | 'reset';

interface MailTokensTable {
  token_hash: Buffer;
  account_id: AccountId;
  purpose: TokenPurpose;
  expires_at: Date;
}
type Tables = { mail_tokens: MailTokensTable };
const tables = (db: Db) => db.withTables<Tables>();

interface NewMailToken {
  tokenHash: Buffer;
  accountId: AccountId;
  purpose: TokenPurpose;
  lifetimeSeconds: number;
}

export const insertMailToken = async (
  db: Db,
  { tokenHash, accountId, purpose, lifetimeSeconds }: NewMailToken,
): Promise<void> => {
  await tables(db)
    .insertInto('mail_tokens')
    .values({
      token_hash: tokenHash,
      account_id: accountId,
      purpose,
      expires_at: inSeconds(lifetimeSeconds),
    })
    .execute();
};

interface MailTokenKey {
  tokenHash: Buffer;
  purpose: TokenPurpose;
}

export const findMailTokenAccount = async (
  db: Db,
  { tokenHash, purpose }: MailTokenKey,
): Promise<AccountId | undefined> => {
  const found = await tables(db)
    .selectFrom('mail_tokens')
    .select('account_id as accountId')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found?.accountId;
};

/** Whether the token existed: of two requests with one token, one gets true. */
export const takeMailToken = async (db: Db, { tokenHash, purpose }: MailTokenKey): Promise<boolean> => {
  const used = await tables(db)
    .deleteFrom('mail_tokens')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst();
  return used !== undefined;
};

export const removeMailTokens = async (
  db: Db,
  accountId: AccountId,
  purposes: TokenPurpose[],
): Promise<void> => {
  await tables(db)
    .deleteFrom('mail_tokens')
    .where('account_id', '=', accountId)
    .where('purpose', 'in', purposes)
    .execute();
};

export const removeExpiredMailTokens = async (db: Db): Promise<void> => {
  await tables(db).deleteFrom('mail_tokens').where('expires_at', '<=', now).execute();
};

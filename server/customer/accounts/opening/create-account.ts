import { randomUUID } from 'node:crypto';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { AdminRole } from '../../../../contract/customer/admin-roles.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { openWallet } from '../../wallet/index.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { acceptEmail } from '../email.ts';
import { hashSecret, newSecret, newTestSecret, sealSecret } from '../secrets/seal-secret.ts';
import { acceptPassword } from '../sessions/password.ts';
import { insertAccount } from '../store.ts';

interface AccountFacts {
  email: string;
  admin: boolean;
  /** An owner, unless it says otherwise. */
  role?: AdminRole;
  active: boolean;
  language: Language;
}

/** Creates the account with its secrets and its wallet; undefined if the email is taken. For a transaction. */
export const insertWholeAccount = async (
  trx: Db,
  facts: AccountFacts & { passwordHash: string },
  secretKey: Buffer,
): Promise<AccountId | undefined> => {
  const id = randomUUID() as string as AccountId;
  const secret = newSecret();
  const testSecret = newTestSecret();
  const inserted = await insertAccount(trx, {
    ...facts,
    id,
    secretHash: hashSecret(secret),
    secretSealed: sealSecret({ key: secretKey, accountId: id, secret }),
    testSecretHash: hashSecret(testSecret),
    testSecretSealed: sealSecret({ key: secretKey, accountId: id, secret: testSecret }),
  });
  if (!inserted) return undefined;
  await openWallet(trx, id);
  return id;
};

/** Creates an account without sending mail: for the operator and the demo. Undefined if the email is taken. */
export const createAccount = async (
  { db, passwords, secretKey }: Pick<AccountsDeps, 'db' | 'passwords' | 'secretKey'>,
  { password, ...facts }: AccountFacts & { password: string },
): Promise<AccountId | undefined> => {
  const email = acceptEmail(facts.email);
  const passwordHash = await passwords.hash(acceptPassword(password));
  return db
    .transaction()
    .execute((trx) => insertWholeAccount(trx, { ...facts, email, passwordHash }, secretKey));
};

import type { AccountId } from '../../contract/accounts.ts';
import type { Db } from '../postgres/index.ts';
import { writeAnonymity } from './close-store.ts';
import { removeOldSecrets } from './old-secret-store.ts';
import { NOBODYS_HASH } from './password.ts';
import { hashSecret, newSecret } from './seal-secret.ts';

/** No mail goes to `.invalid` (RFC 2606), and nobody can register or sign in with it. */
const placeholder = (accountId: AccountId): string => `closed-${accountId}@closed.invalid`;

/**
 * Takes away what the account itself tells of a person, so that the email may be registered again. Whose payments
 * they were is kept apart for the books. Nothing opens the secret that it is left with. For a transaction.
 */
export const anonymiseAccount = async (db: Db, accountId: AccountId, at: Date): Promise<boolean> => {
  await removeOldSecrets(db, accountId);
  return writeAnonymity(db, {
    accountId,
    email: placeholder(accountId),
    passwordHash: NOBODYS_HASH,
    secretHash: hashSecret(newSecret()),
    secretSealed: Buffer.alloc(0),
    at,
  });
};

import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { removeOldSecrets } from '../secrets/old-secret-store.ts';
import { hashSecret, newSecret } from '../secrets/seal-secret.ts';
import { NOBODYS_HASH } from '../sessions/password.ts';
import { writeAnonymity } from './close-store.ts';

/** Nobody can receive mail at `.invalid` (RFC 2606), register with it or sign in with it. */
const placeholder = (accountId: AccountId): string => `closed-${accountId}@closed.invalid`;

/**
 * Removes what the account row says about a person, so that the email can be registered again. The former email is
 * kept separately for accounting. The account keeps a random secret that nobody knows. For a transaction.
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

import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { REOPEN_DAYS } from '../mails/mail-texts.ts';
import { removeOldSecrets } from '../secrets/old-secret-store.ts';
import { hashSecret, newSecret, newTestSecret, sealSecret } from '../secrets/seal-secret.ts';
import { findByEmail, lockAccount, replaceApiSecret } from '../store.ts';
import { markReopened } from './close-store.ts';

/**
 * For the operator, as long as the data exists. The password stays the same; the closing ended secrets, cards, sessions
 * and the webhook, so the secrets are new ones.
 */
export const reopenAccount = async (
  { db, secretKey: key }: Pick<AccountsDeps, 'db' | 'secretKey'>,
  email: string,
): Promise<AccountId> =>
  db.transaction().execute(async (trx) => {
    const found = await findByEmail(trx, email.trim().toLowerCase());
    if (!found) throw new DomainError('E_NOT_FOUND');
    const accountId = found.id;
    await lockAccount(trx, accountId);
    if (!(await markReopened(trx, { accountId, withinDays: REOPEN_DAYS })))
      throw new DomainError('E_ACCOUNT_OPEN');
    await removeOldSecrets(trx, accountId);
    for (const test of [false, true]) {
      const secret = test ? newTestSecret() : newSecret();
      const sealed = sealSecret({ key, accountId, secret });
      await replaceApiSecret(trx, accountId, { test, hash: hashSecret(secret), sealed });
    }
    return accountId;
  });

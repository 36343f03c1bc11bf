import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { SECRET_OVERLAP_HOURS } from '../../../../contract/customer/integration.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { lockAccount, readAccount, replaceApiSecret } from '../store.ts';
import { insertOldSecret, listOldSecrets } from './old-secret-store.ts';
import { hashSecret, newSecret, newTestSecret, openSealedSecret, sealSecret } from './seal-secret.ts';

const HINT_LENGTH = 4;
/** A leaked secret is replaced immediately, perhaps twice; more would accumulate valid secrets. */
const MOST_OLD = 5;

/**
 * Gives the account another secret. The old one works for a while, so that programs can be changed one after another,
 * and a second replacement by mistake cuts off nothing that sends.
 */
export const rotateApiSecret = async (
  { db, secretKey: key }: Pick<AccountsDeps, 'db' | 'secretKey'>,
  { accountId, test }: { accountId: AccountId; test: boolean },
): Promise<void> => {
  const secret = test ? newTestSecret() : newSecret();
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const old = (await listOldSecrets(trx, accountId)).filter((one) => one.test === test);
    if (old.length >= MOST_OLD) throw new DomainError('E_TOO_MANY_OLD_SECRETS', { maximum: MOST_OLD });
    const { secretSealed, testSecretSealed } = await readAccount(trx, accountId);
    const sealed = test ? testSecretSealed : secretSealed;
    if (sealed) {
      const replaced = openSealedSecret({ key, accountId, sealed });
      await insertOldSecret(trx, {
        accountId,
        test,
        hash: hashSecret(replaced),
        hint: replaced.slice(-HINT_LENGTH),
        lifetimeSeconds: SECRET_OVERLAP_HOURS * 3600,
      });
    }
    await replaceApiSecret(trx, accountId, {
      test,
      hash: hashSecret(secret),
      sealed: sealSecret({ key, accountId, secret }),
    });
  });
};

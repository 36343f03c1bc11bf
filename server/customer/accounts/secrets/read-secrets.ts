import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { readAccount, setTestSecret } from '../store.ts';
import { hashSecret, newTestSecret, openSealedSecret, sealSecret } from './seal-secret.ts';

/** An account from before there were test secrets gets one now; two concurrent requests see the same one. */
const makeTestSecret = (
  { db, secretKey: key }: Pick<AccountsDeps, 'db' | 'secretKey'>,
  accountId: AccountId,
) => {
  const secret = newTestSecret();
  return setTestSecret(db, accountId, {
    hash: hashSecret(secret),
    sealed: sealSecret({ key, accountId, secret }),
  });
};

export const readSecrets = async (
  deps: Pick<AccountsDeps, 'db' | 'secretKey'>,
  accountId: AccountId,
): Promise<{ secret: string; testSecret: string }> => {
  const { secretSealed, testSecretSealed } = await readAccount(deps.db, accountId);
  const open = (sealed: Buffer) => openSealedSecret({ key: deps.secretKey, accountId, sealed });
  return {
    secret: open(secretSealed),
    testSecret: open(testSecretSealed ?? (await makeTestSecret(deps, accountId))),
  };
};

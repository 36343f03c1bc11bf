import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { openSealedSecret, sealSecret } from '../../../customer/accounts/index.ts';
import { newSigningSecret } from '../serving/sign.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';
import { type Endpoint, ensureSecret, readEndpoint, replaceSigningSecret } from './endpoint-store.ts';

type Deps = Pick<WebhooksDeps, 'db' | 'secretKey'>;

/** Receivers have this long to switch to the new one. */
const OVERLAP_HOURS = 24;

const newSealed = ({ secretKey: key }: Deps, accountId: AccountId): Buffer =>
  sealSecret({ key, accountId, secret: newSigningSecret() });

/**
 * The endpoint with a secret: an account gets one when it is first needed; two concurrent requests see the same one.
 */
export const withSecret = async (
  deps: Deps,
  accountId: AccountId,
  endpoint?: Endpoint,
): Promise<Endpoint & { secretSealed: Buffer }> => {
  const whole = endpoint?.secretSealed
    ? endpoint
    : await ensureSecret(deps.db, accountId, newSealed(deps, accountId));
  return { ...whole, secretSealed: whole.secretSealed as Buffer };
};

/** The secrets that sign: the current one first, then the previous one while it is valid. */
export const openSecrets = (
  { secretKey: key }: Pick<Deps, 'secretKey'>,
  accountId: AccountId,
  { secretSealed, previousSealed }: Endpoint & { secretSealed: Buffer },
): string[] =>
  [secretSealed, previousSealed].flatMap((sealed) =>
    sealed ? [openSealedSecret({ key, accountId, sealed })] : [],
  );

/** The secret that a receiver should verify with. */
export const currentSecret = async (deps: Deps, accountId: AccountId): Promise<string> => {
  const endpoint = await withSecret(deps, accountId, await readEndpoint(deps.db, accountId));
  return openSecrets(deps, accountId, endpoint)[0] ?? '';
};

/** Both secrets sign until the overlap ends, so no receiver misses an event. */
export const rotateSigningSecret = (deps: Deps, accountId: AccountId): Promise<void> =>
  replaceSigningSecret(deps.db, accountId, {
    sealed: newSealed(deps, accountId),
    overlapHours: OVERLAP_HOURS,
  });

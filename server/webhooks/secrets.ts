import type { AccountId } from '../../contract/accounts.ts';
import { openSealedSecret, sealSecret } from '../accounts/index.ts';
import { type Endpoint, ensureSecret, readEndpoint, replaceSecret } from './endpoint-store.ts';
import { newSigningSecret } from './sign.ts';
import type { WebhooksDeps } from './webhooks-deps.ts';

type Deps = Pick<WebhooksDeps, 'db' | 'secretKey'>;

/** Receivers have this long to learn the new one. */
const OVERLAP_HOURS = 24;

const newSealed = ({ secretKey: key }: Deps, accountId: AccountId): Buffer =>
  sealSecret({ key, accountId, secret: newSigningSecret() });

/** The endpoint with a secret: an account gets its own when it is first needed; of two who ask both see the same. */
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

/** What signs: the current secret first, then the one before while it still counts. */
export const openSecrets = (
  { secretKey: key }: Pick<Deps, 'secretKey'>,
  accountId: AccountId,
  { secretSealed, previousSealed }: Endpoint & { secretSealed: Buffer },
): string[] =>
  [secretSealed, previousSealed].flatMap((sealed) =>
    sealed ? [openSealedSecret({ key, accountId, sealed })] : [],
  );

/** The one that a receiver is to check with. */
export const currentSecret = async (deps: Deps, accountId: AccountId): Promise<string> => {
  const endpoint = await withSecret(deps, accountId, await readEndpoint(deps.db, accountId));
  return openSecrets(deps, accountId, endpoint)[0] ?? '';
};

/** Events are signed by both until the overlap ends, so no receiver misses any. */
export const rotateSecret = (deps: Deps, accountId: AccountId): Promise<void> =>
  replaceSecret(deps.db, accountId, { sealed: newSealed(deps, accountId), overlapHours: OVERLAP_HOURS });

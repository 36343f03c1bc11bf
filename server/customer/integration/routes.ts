import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { type CallerRoutes, requireOwnAccount } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import {
  endOldSecret,
  isConfirmed,
  listOldSecrets,
  maskSecret,
  readSecrets,
  rotateApiSecret,
} from '../accounts/index.ts';
import { listCalls } from './list-calls.ts';
import { sampleCodes } from './samples.ts';

const CALLS = 50;
/** Shown in the sample if the account has no secret for its webhooks yet. */
const NO_WEBHOOK_SECRET = 'whsec_';

export interface IntegrationDeps {
  db: Db;
  /** 32 bytes: the key that encrypts API secrets. */
  secretKey: Buffer;
  publicUrl: string;
  /** The signing secret of the account's webhooks. */
  webhookSecretOf?: (accountId: AccountId) => Promise<string | undefined>;
}

export const integrationRoutes = (deps: IntegrationDeps): CallerRoutes => ({
  'GET /account/:accountId/apiInfo': async ({ caller: { accountId }, caller, params }) => {
    requireOwnAccount(caller, params.accountId);
    const masked = !(await isConfirmed(deps.db, caller.sessionHash));
    const shown = masked ? maskSecret : (secret: string) => secret;
    const { secret, testSecret } = await readSecrets(deps, accountId);
    const secrets = { secret: shown(secret), testSecret: shown(testSecret) };
    const oldSecrets = await listOldSecrets(deps.db, accountId);
    const webhookSecret = shown((await deps.webhookSecretOf?.(accountId)) ?? NO_WEBHOOK_SECRET);
    return {
      masked,
      ...secrets,
      ...sampleCodes({ url: deps.publicUrl, secret: secrets.secret, webhookSecret }),
      oldSecrets: oldSecrets.map(({ id, endsAt, ...facts }) => ({
        _id: id,
        ...facts,
        endsAt: endsAt.toISOString(),
      })),
    };
  },
  'POST /account/:accountId/secret/rotate': async ({ caller, params, body, language }) => {
    requireOwnAccount(caller, params.accountId);
    await rotateApiSecret(deps, { accountId: caller.accountId, test: body.test });
    return { message: text(language, 'integration.rotated') };
  },
  'DELETE /account/:accountId/oldSecrets/:oldSecretId': async ({ caller, params, language }) => {
    requireOwnAccount(caller, params.accountId);
    await endOldSecret(deps.db, { accountId: caller.accountId, id: params.oldSecretId });
    return { message: text(language, 'integration.secretEnded') };
  },
  'GET /account/:accountId/apiCalls': async ({
    caller,
    params,
    query: { outcome, before, limit = CALLS },
  }) => {
    requireOwnAccount(caller, params.accountId);
    return listCalls(deps.db, { accountId: caller.accountId, outcome, before, limit });
  },
});

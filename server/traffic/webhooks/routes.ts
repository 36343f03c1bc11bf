import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { isConfirmed, maskSecret } from '../../customer/accounts/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { type CallerRoutes, requireOwnAccount } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import { readEndpoint, resumeEndpoint, setEventsPerCall } from './endpoints/endpoint-store.ts';
import { openSecrets, rotateSigningSecret, withSecret } from './endpoints/secrets.ts';
import { requireEndpoint, sendTest } from './endpoints/send-test.ts';
import { findEvent, listEvents } from './events/event-store.ts';
import { payloadOf } from './events/payload.ts';
import { MOST_COUNTED, replayAll, replayOne } from './events/replay.ts';
import { eventView } from './views.ts';
import type { WebhookRouteDeps } from './webhooks-deps.ts';

const EVENTS = 50;

const endpointRoutes = (deps: WebhookRouteDeps): CallerRoutes => ({
  'GET /account/:accountId/webhook': async ({ caller, params: { accountId } }) => {
    requireOwnAccount(caller, accountId);
    const endpoint = await withSecret(deps, accountId, await readEndpoint(deps.db, accountId));
    const [secret = ''] = openSecrets(deps, accountId, endpoint);
    const masked = caller.viewer !== undefined || !(await isConfirmed(deps.db, caller.sessionHash));
    const { url, eventsPerCall, previousUntil, failingSince, pausedUntil, goneAt } = endpoint;
    return {
      url,
      eventsPerCall,
      masked,
      // An admin who sees the account as its owner does is shown nothing of a secret.
      secret: caller.viewer ? '' : masked ? maskSecret(secret) : secret,
      previousUntil: previousUntil?.toISOString() ?? null,
      failingSince: failingSince?.toISOString() ?? null,
      pausedUntil: pausedUntil?.toISOString() ?? null,
      goneAt: goneAt?.toISOString() ?? null,
    };
  },
  'PUT /account/:accountId/webhook': async ({ caller, params: { accountId }, body, language }) => {
    requireOwnAccount(caller, accountId);
    await setEventsPerCall(deps.db, accountId, body.eventsPerCall);
    return { message: text(language, 'webhook.changed') };
  },
  'POST /account/:accountId/webhook/rotate': async ({ caller, params: { accountId }, language }) => {
    requireOwnAccount(caller, accountId);
    await deps.limits.consume('webhook-account', accountId);
    await rotateSigningSecret(deps, accountId);
    return { message: text(language, 'webhook.rotated') };
  },
  'POST /account/:accountId/webhook/resume': async ({ caller, params: { accountId }, language }) => {
    requireOwnAccount(caller, accountId);
    await requireEndpoint(deps, accountId);
    await resumeEndpoint(deps.db, accountId);
    return { message: text(language, 'webhook.resumed') };
  },
  'POST /account/:accountId/webhook/test': async ({ caller, params: { accountId }, language }) => {
    requireOwnAccount(caller, accountId);
    await deps.limits.consume('webhook-account', accountId);
    const eventId = await sendTest(deps, accountId);
    return { eventId, message: text(language, 'webhook.testSent') };
  },
});

const eventRoutes = (deps: WebhookRouteDeps): CallerRoutes => {
  const zoneOf = async (accountId: AccountId): Promise<string> =>
    (await deps.contactOf(accountId))?.timeZone ?? DEFAULT_TIME_ZONE;
  return {
    'GET /account/:accountId/webhook/events': async ({ caller, params: { accountId }, query }) => {
      requireOwnAccount(caller, accountId);
      const { limit = EVENTS, ...filter } = query;
      const timeZone = await zoneOf(accountId);
      const events = await listEvents(deps.db, { accountId, timeZone, ...filter }, limit + 1);
      return { events: events.slice(0, limit).map(eventView), more: events.length > limit };
    },
    'GET /account/:accountId/webhook/events/:eventId': async ({ caller, params }) => {
      requireOwnAccount(caller, params.accountId);
      const event = await findEvent(deps.db, params);
      if (!event) throw new DomainError('E_NOT_FOUND');
      return { event: eventView(event), payload: payloadOf(event) };
    },
    'POST /account/:accountId/webhook/events/:eventId/replay': async ({ caller, params, language }) => {
      requireOwnAccount(caller, params.accountId);
      await deps.limits.consume('webhook-account', params.accountId);
      await replayOne(deps, params);
      return { message: text(language, 'webhook.replayed') };
    },
    'POST /account/:accountId/webhook/replay': async ({ caller, params: { accountId }, body, language }) => {
      requireOwnAccount(caller, accountId);
      await deps.limits.consume('webhook-account', accountId);
      const timeZone = await zoneOf(accountId);
      const count = await replayAll(deps, { accountId, timeZone, filter: body });
      if (count === 0) return { message: text(language, 'webhook.replayedNone') };
      return count > MOST_COUNTED
        ? { message: text(language, 'webhook.replayedMany', { count: MOST_COUNTED }) }
        : { message: text(language, 'webhook.replayedAll', { count }) };
    },
  };
};

export const webhookRoutes = (deps: WebhookRouteDeps): CallerRoutes => ({
  ...endpointRoutes(deps),
  ...eventRoutes(deps),
});

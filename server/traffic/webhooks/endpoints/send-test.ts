import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { insertTestEvent } from '../events/event-store.ts';
import type { WebhooksDeps } from '../webhooks-deps.ts';
import { readEndpoint, resumeEndpoint } from './endpoint-store.ts';

export const requireEndpoint = async (
  { db }: Pick<WebhooksDeps, 'db'>,
  accountId: AccountId,
): Promise<void> => {
  if (!(await readEndpoint(db, accountId))?.url) throw new DomainError('E_WEBHOOK_NOT_SET');
};

/**
 * An event about nothing. It is sent immediately, also to a paused endpoint, because its purpose is to find out whether
 * the endpoint works.
 */
export const sendTest = async ({ db }: Pick<WebhooksDeps, 'db'>, accountId: AccountId): Promise<EventId> => {
  await requireEndpoint({ db }, accountId);
  return db.transaction().execute(async (trx) => {
    await resumeEndpoint(trx, accountId);
    return insertTestEvent(trx, accountId, { test: true, accountId });
  });
};

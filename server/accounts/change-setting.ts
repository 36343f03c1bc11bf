import type { AccountId } from '../../contract/accounts.ts';
import type { Body } from '../../contract/calls.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import { updateSetting } from './store.ts';

/** Empty means none. URL parsing drops or encodes blanks and control characters; here they are refused. */
const isWebhook = (text: string): boolean =>
  text === '' || (/^https?:\/\//i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text));

export const changeSetting = async (
  db: Db,
  accountId: AccountId,
  change: Body<'PUT /account/:accountId/setting'>,
): Promise<void> => {
  if ('receiveEmail' in change) return updateSetting(db, accountId, { receive_email: change.receiveEmail });
  const webhook = change.webhook.trim();
  if (!isWebhook(webhook)) throw new DomainError('E_WEBHOOK_INVALID');
  return updateSetting(db, accountId, { webhook });
};

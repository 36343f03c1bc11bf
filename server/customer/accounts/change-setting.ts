import type { Body } from '../../../contract/calls.ts';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { AccountsDeps } from './accounts-deps.ts';
import { lockAccount, updateSetting } from './store.ts';

/** Empty means none. URL parsing drops or encodes blanks and control characters; here they are refused. */
const isWebhook = (text: string): boolean =>
  text === '' || (/^https?:\/\//i.test(text) && !/[\s\p{Cc}]/u.test(text) && URL.canParse(text));

export const changeSetting = async (
  { db, webhooks }: Pick<AccountsDeps, 'db' | 'webhooks'>,
  accountId: AccountId,
  change: Body<'PUT /account/:accountId/setting'>,
): Promise<void> => {
  if ('receiveEmail' in change) return updateSetting(db, accountId, { receive_email: change.receiveEmail });
  const webhook = change.webhook.trim();
  if (!isWebhook(webhook)) throw new DomainError('E_WEBHOOK_INVALID');
  await webhooks?.check(webhook);
  await db.transaction().execute(async (trx) => {
    // The check may have waited for DNS, and the account been closed meanwhile.
    const account = await lockAccount(trx, accountId);
    if (!account || account.closedAt) throw new DomainError('E_ACCOUNT_CLOSED');
    await updateSetting(trx, accountId, { webhook });
    await webhooks?.changed(trx, accountId, webhook);
  });
};

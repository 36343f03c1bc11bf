import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { accountMails } from '../mails/account-mails.ts';
import { lockAccount } from '../store.ts';

/** For somebody who lost the mail. Links that were sent before still work. */
export const resendActivation = (
  { db, queue }: Pick<AccountsDeps, 'db' | 'queue'>,
  accountId: AccountId,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const account = await lockAccount(trx, accountId);
    if (!account) throw new DomainError('E_NOT_FOUND');
    if (account.activatedAt) throw new DomainError('E_ALREADY_ACTIVATED');
    await accountMails.request(
      { queue, db: trx },
      { kind: 'activate', accountId, language: account.language },
    );
  });

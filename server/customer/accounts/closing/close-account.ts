import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { removeSendersOf } from '../../senders/index.ts';
import { closeWallet } from '../../wallet/index.ts';
import type { AccountsDeps } from '../accounts-deps.ts';
import { isLastOwner } from '../admins/admin-store.ts';
import { accountMails } from '../mails/account-mails.ts';
import { removeMailTokens } from '../mails/mail-token-store.ts';
import { confirmPassword } from '../sessions/confirm-password.ts';
import { removeSessions } from '../sessions/session-store.ts';
import { lockAccount, readAccount } from '../store.ts';
import { markClosed } from './close-store.ts';

/** A task of the room that sends: it cancels and refunds all waiting messages of an account. */
const CANCEL_ACCOUNT = 'outbox.cancel-account';
/** Immediately; when no process can still have the secret cached; and for messages that were delayed. */
const SWEEPS_SECONDS = [0, 15, 600];

interface Closing {
  accountId: AccountId;
  /** The account's own email, typed again. */
  email: string;
  password: string;
  language: Language;
  address: string;
}

/**
 * After the commit nobody can sign in, send or be charged; a concurrent second request finds the account closed. The
 * queue cancels and refunds waiting messages, because a million messages are too many for one transaction.
 */
export const closeAccount = async (
  deps: AccountsDeps,
  { accountId, email, password, language, address }: Closing,
): Promise<void> => {
  if (password === '') throw new DomainError('E_PASSWORD_EMPTY');
  const { db, queue, processor, webhooks } = deps;
  const { email: own } = await readAccount(db, accountId);
  if (email.trim().toLowerCase() !== own) throw new DomainError('E_CONFIRMATION_DIFFERS');
  const passwordHash = await confirmPassword(deps, { accountId, password, address });
  await db.transaction().execute(async (trx) => {
    if (await isLastOwner(trx, accountId)) throw new DomainError('E_LAST_OWNER');
    const account = await lockAccount(trx, accountId);
    if (!account || account.closedAt) throw new DomainError('E_ACCOUNT_CLOSED');
    if (account.passwordHash !== passwordHash) throw new DomainError('E_PASSWORD_WRONG');
    await markClosed(trx, accountId);
    await removeSessions(trx, accountId);
    await removeMailTokens(trx, accountId, ['activate', 'reset']);
    await webhooks?.changed(trx, accountId, '');
    await removeSendersOf(trx, accountId);
    await deps.closeDevices?.(trx, accountId);
    await closeWallet({ db: trx, queue, processor }, accountId);
    for (const startAfterSeconds of SWEEPS_SECONDS)
      await queue.send(CANCEL_ACCOUNT, { accountId }, { db: trx, startAfterSeconds });
    await accountMails.request({ queue, db: trx }, { kind: 'closed', accountId, language });
  });
};

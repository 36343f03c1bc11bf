import type { AccountId } from '../../../contract/customer/accounts.ts';
import { MOST_OWN_SENDERS } from '../../../contract/customer/senders.ts';
import type { Language } from '../../../contract/ground/constants.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { codeMails } from './code-mails.ts';
import { mailboxKey } from './read-mailbox.ts';
import { readOwnSender } from './read-sender.ts';
import type { SendersDeps } from './senders-deps.ts';
import { countOwnSenders, findSender, insertOwnSender, type SenderRow } from './store.ts';

interface Added {
  accountId: AccountId;
  sender: string;
  language: Language;
}

/** An address gets a code by mail, each time that it is added until it is verified; a domain shows its record. */
export const addSender = async (
  { db, queue, limits, holdOpen }: SendersDeps,
  { accountId, sender: typed, language }: Added,
): Promise<SenderRow> => {
  const named = { accountId, channel: 'email' as const, ...readOwnSender(typed) };
  const before = await findSender(db, named);
  if (before?.verifiedAt) return before;
  if (!before && (await countOwnSenders(db, accountId)) >= MOST_OWN_SENDERS)
    throw new DomainError('E_TOO_MANY_SENDERS', { maximum: MOST_OWN_SENDERS });
  if (named.kind === 'address') {
    await limits.consume('sender-mail-account', accountId);
    await limits.consume('sender-mail-address', mailboxKey(named.sender));
  }
  return db.transaction().execute(async (trx) => {
    if (!(await holdOpen(trx, accountId))) throw new DomainError('E_ACCOUNT_CLOSED');
    await insertOwnSender(trx, named);
    const row = await findSender(trx, named);
    if (!row) throw new Error('a sender is gone');
    if (row.kind === 'address') await codeMails.request({ queue, db: trx }, { senderId: row.id, language });
    return row;
  });
};

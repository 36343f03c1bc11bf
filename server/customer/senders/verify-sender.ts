import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { SenderId } from '../../../contract/customer/senders.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { hashCode, isSameCode, verificationRecord } from './code.ts';
import { takeTry } from './code-store.ts';
import type { SendersDeps } from './senders-deps.ts';
import { findOwnSender, markVerified, type SenderRow } from './store.ts';

/** Wrong codes, until another one has to be asked for. */
const MOST_TRIES = 5;

interface Proof {
  accountId: AccountId;
  senderId: SenderId;
  code: string | undefined;
}

const checkCode = async (
  { db, limits, secretKey }: SendersDeps,
  { accountId, id: senderId }: SenderRow,
  code: string,
): Promise<void> => {
  await limits.consume('sender-code-account', accountId);
  const known = await takeTry(db, { senderId, most: MOST_TRIES });
  if (!known) throw new DomainError('E_SENDER_CODE_EXPIRED');
  if (!isSameCode(hashCode(secretKey, { senderId, code }), known.codeHash))
    throw new DomainError('E_SENDER_CODE_WRONG', { left: known.left });
};

const checkRecord = async (
  { limits, secretKey, resolveTxt }: SendersDeps,
  { accountId, sender: domain }: SenderRow,
): Promise<void> => {
  await limits.consume('sender-record-account', accountId);
  const { name, value } = verificationRecord(secretKey, { accountId, domain });
  const records = await resolveTxt(name).catch(() => {
    throw new DomainError('E_SENDER_DNS_SILENT', { domain });
  });
  if (!records.some((record) => record.trim() === value))
    throw new DomainError('E_SENDER_RECORD_MISSING', { name });
};

/** Proves an address by the code that was mailed to it, a domain by its record. Repeated, it changes nothing. */
export const verifySender = async (
  deps: SendersDeps,
  { accountId, senderId, code = '' }: Proof,
): Promise<SenderRow> => {
  const owned = { accountId, senderId };
  const row = await findOwnSender(deps.db, owned);
  if (!row) throw new DomainError('E_NOT_FOUND');
  if (row.verifiedAt) return row;
  await (row.kind === 'domain' ? checkRecord(deps, row) : checkCode(deps, row, code));
  await markVerified(deps.db, senderId);
  return { ...row, verifiedAt: new Date() };
};

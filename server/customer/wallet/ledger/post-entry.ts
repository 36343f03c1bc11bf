import type { EntryId } from '../../../../contract/customer/wallet.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { AUTO_TOP_UP } from '../auto-top-up/auto-top-up-request.ts';
import { walletMails } from '../mails/wallet-mails.ts';
import { postingsHash } from '../payments/request-hash.ts';
import type { SpendDeps } from '../wallet-deps.ts';
import { insertEntry, type NewLedgerEntry, type PostingOutcome } from './ledger-store.ts';

export interface Posted {
  entryId: EntryId;
  /** The available balance after the entry; for a repeat, after the first one. */
  balanceMicros: bigint;
  repeated: boolean;
}

/** Throws if it was not posted, otherwise returns it. */
export const acceptOutcome = (
  { outcome, entry_id, balance_micros }: PostingOutcome,
  what: string,
): Posted => {
  if (outcome === 'too-low') throw new DomainError('E_BALANCE_TOO_LOW');
  if (outcome === 'reused') throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
  if (outcome !== 'posted' && outcome !== 'repeated') throw new Error(`${what} was refused: ${outcome}`);
  return {
    entryId: String(entry_id ?? '') as EntryId,
    balanceMicros: balance_micros,
    repeated: outcome === 'repeated',
  };
};

/** Moves money within the given transaction, and enqueues the tasks that the new balance causes. */
export const postEntry = async (
  { db, queue }: SpendDeps,
  entry: Omit<NewLedgerEntry, 'requestHash'> & { requestHash?: Buffer },
): Promise<Posted> => {
  const { accountId, kind, cause, postings } = entry;
  const hash = entry.requestHash ?? postingsHash(postings);
  const outcome = await insertEntry(db, { ...entry, requestHash: hash });
  const posted = acceptOutcome(outcome, `${kind} of ${cause}`);
  if (outcome.top_up_due) await queue.send(AUTO_TOP_UP, { accountId }, { db });
  if (outcome.balance_low) await walletMails.request({ db, queue }, { kind: 'low-balance', accountId });
  return posted;
};

import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import { isOpen } from '../../../customer/accounts/index.ts';
import { readWallet } from '../../../customer/wallet/index.ts';
import { prefetch } from '../../../ground/batching/index.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { newId } from '../../../ground/postgres/index.ts';
import { type BatchKind, storingMessages } from '../../outbox/index.ts';
import { claimCountries, isNewCountry, judgeCountries } from '../claim-countries.ts';
import { type Prepared, place, readKnown } from '../prepare.ts';
import type { SendingDeps } from '../sending-deps.ts';
import type { Terms } from '../terms.ts';
import { captureRefusal, storeWithin } from './accept-groups.ts';

/** Messages that are accepted together or not at all. */
export interface BatchToAccept {
  accountId: AccountId;
  channel: Channel;
  kind: BatchKind;
  terms: Terms;
  /** Of a CSV file. */
  fileName?: string;
  byPage?: true | undefined;
  /**
   * What a preview quoted: exactly this is charged, or nothing. Without it: the sum of the prices. If messages are left
   * out while the chunks are read, because their recipients opted out, the caller lowers it by them.
   */
  expected?: { messages: number; priceMicros: bigint };
  /** In the order of sending; 500 to 1,000 per chunk are best. */
  chunks: Iterable<Prepared[]> | AsyncIterable<Prepared[]>;
}

export interface AcceptedBatch {
  batchId: BatchId;
  accepted: number;
  totalMicros: bigint;
  balanceMicros: bigint;
  test: boolean;
}

/** Within a transaction that does more. Undefined if there was nothing to send. */
export const acceptWithin = async (
  trx: Db,
  deps: SendingDeps,
  batch: BatchToAccept,
): Promise<AcceptedBatch | undefined> => {
  const { accountId, channel, kind, terms, expected } = batch;
  // The account may have been closed while the request waited for a slot.
  if (!(await isOpen(trx, accountId))) throw new DomainError('E_ACCOUNT_CLOSED');
  if (expected && (await readWallet(trx, accountId)).balanceMicros < expected.priceMicros)
    throw new DomainError('E_BALANCE_TOO_LOW');

  const facts = {
    id: newId() as BatchId,
    accountId,
    channel,
    kind,
    test: terms.test,
    schedule: terms.schedule,
    fileName: batch.fileName,
    byPage: batch.byPage,
  };
  let accepted = 0;
  let totalMicros = 0n;
  const laneIds = new Set<number>();
  const claimed = new Set<string>();
  /** What the database is storing; meanwhile the next chunk is read and its statement made. */
  let storing: Promise<void> | undefined;
  try {
    for await (const chunk of prefetch(batch.chunks)) {
      if (chunk.length === 0) continue;
      const elsewhere = chunk.filter(
        (prepared) => !claimed.has(prepared.country) && isNewCountry(deps, terms, prepared),
      );
      if (elsewhere.length > 0) {
        for (const { country } of elsewhere) claimed.add(country);
        // A transaction has one statement at a time.
        await storing;
        await judgeCountries({ ...deps, db: trx }, terms, [...claimed]);
      }
      const known = await readKnown(trx, { terms, messages: chunk });
      const messages = chunk.map((prepared) => ({
        ...prepared,
        ...place(terms, prepared, known),
        id: newId() as MessageId,
        batchId: facts.id,
      }));
      for (const { laneId } of messages) if (laneId !== null) laneIds.add(laneId);
      const store = storingMessages(trx, facts, messages);
      const events = messages.map(({ id }) => ({ event: 'accepted' as const, id, accountId }));
      await storing;
      storing = store().then(() => deps.publish(trx, events));
      // An error is thrown where the promise is awaited, not here.
      storing.catch(() => {});
      accepted += chunk.length;
      for (const { priceMicros } of chunk) totalMicros += priceMicros;
    }
    await storing;
  } catch (error) {
    // The first error: later statements of the transaction fail too, and say nothing.
    await storing;
    throw error;
  }
  if (expected && (accepted !== expected.messages || totalMicros !== expected.priceMicros))
    throw new Error(`a batch of ${expected.messages} messages came to ${accepted}, or at another price`);
  if (accepted === 0) return undefined;
  // Countries are claimed last, so that other calls of the account don't wait while the rows are written.
  if (claimed.size > 0) {
    const messages = [...claimed].map((country) => ({ country }));
    await claimCountries({ ...deps, db: trx }, terms, messages, { within: true });
  }
  // The account is locked after the rows are written and before the wallet, in the same order as closing an account
  // does.
  if (!(await isOpen(trx, accountId, { locked: true }))) throw new DomainError('E_ACCOUNT_CLOSED');

  const group = { batch: facts, accepted, totalMicros, messages: [], keys: [] };
  const { outcomes } = await storeWithin(trx, deps, { groups: [group], unchecked: [] });
  const paid = outcomes.get(accountId);
  if (paid?.outcome !== 'posted') throw (paid && captureRefusal(paid)) ?? new Error('a batch was not paid');
  if (laneIds.size > 0) await deps.wake(trx, [...laneIds]);
  const balanceMicros = paid.balance_micros;
  return { batchId: facts.id, accepted, totalMicros, balanceMicros, test: terms.test };
};

/**
 * Accepts many messages: one transaction, one entry in the ledger. The wallet is locked last, so that neither the
 * account's single messages nor a closing wait while the rows are written; if the account is closed by then, everything
 * is refused. Throws E_BALANCE_TOO_LOW and E_ACCOUNT_CLOSED.
 */
export const accept = (deps: SendingDeps, batch: BatchToAccept): Promise<AcceptedBatch> =>
  deps.db.transaction().execute(async (trx) => {
    const answer = await acceptWithin(trx, deps, batch);
    if (!answer) throw new Error('a batch without messages');
    return answer;
  });

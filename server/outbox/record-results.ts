import type { SendOutcome } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import { waitAgain } from './chunk-store.ts';
import type { Attempted } from './claimed-store.ts';
import { failOverRefused } from './failover.ts';
import type { PublishEvents } from './outbox-event.ts';
import { recordEarlyReceipts } from './record-receipts.ts';
import { refundFailed } from './refund-failed.ts';
import { type Result, writeResults } from './result-store.ts';

/** A message that a carrier deferred this often is refused. All attempts take some twenty minutes. */
const MOST_ATTEMPTS = 10;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 300_000;

const delayMs = (attempts: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));

/** What an outcome means for the message. */
export const resultOf = (message: Attempted, outcome: SendOutcome, now = Date.now()): Result => {
  const accepted = outcome.outcome === 'accepted';
  const result: Result = {
    message,
    status: accepted ? 'SUCCESS' : 'PENDING',
    providerMessageId: accepted ? outcome.providerMessageId : null,
    reason: '',
    code: '',
    at: now,
    notBefore: null,
    unknown: false,
  };
  if (accepted) return result;
  if (outcome.outcome === 'unknown') return { ...result, reason: outcome.reason, unknown: true };
  const { code, reason, retryable } = outcome;
  return retryable && message.attempts < MOST_ATTEMPTS
    ? { ...result, code, reason, notBefore: new Date(now + delayMs(message.attempts)) }
    : { ...result, code, reason, status: 'FAILED' };
};

/** Within the given transaction: the outcomes, the refunds, and the receipts that arrived earlier. */
export const recordResults = async (
  trx: Db,
  { laneId, results, publish }: { laneId: number; results: Result[]; publish: PublishEvents },
): Promise<void> => {
  if (results.length === 0) return;
  const written = await writeResults(trx, results);
  const byId = new Map(results.map((result) => [result.message.id, result]));
  await publish(
    trx,
    written
      .filter(({ status }) => status !== 'PENDING')
      .map(({ id, accountId, status }) => ({
        event: status === 'SUCCESS' ? 'sent' : 'failed',
        id,
        accountId,
        createdAt: byId.get(id)?.message.createdAt,
      })),
  );
  await refundFailed(
    trx,
    written.filter((one) => one.status === 'FAILED'),
  );
  const accepted = results.flatMap(({ providerMessageId }) => providerMessageId ?? []);
  await recordEarlyReceipts(trx, { laneId, providerMessageIds: accepted, publish });
  const putOff = written.flatMap(({ id }) => {
    const result = byId.get(id);
    return result?.notBefore ? [result.message] : [];
  });
  await failOverRefused(trx, laneId, putOff);
  await waitAgain(trx, putOff);
};

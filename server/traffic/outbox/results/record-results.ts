import type { Db } from '../../../ground/postgres/index.ts';
import type { SendOutcome, SentPart } from '../../lanes/index.ts';
import { cancelUnwanted } from '../cancelling/cancel-store.ts';
import { noSubscribers } from '../fragment-store.ts';
import { failOverRefused } from '../moving/failover.ts';
import type { Publisher } from '../outbox-event.ts';
import { addLateParts } from '../parts/late-parts.ts';
import { firstIdOf, verdictOf } from '../parts/message-parts.ts';
import { putIntoChunks } from '../waiting/chunk-store.ts';
import type { Attempted } from '../waiting/claimed-store.ts';
import { withinTransaction } from '../waiting/within-transaction.ts';
import type { CarrierKey } from './carrier-id-store.ts';
import { refundFailed } from './refund-failed.ts';
import { type Failed, type SendResult, type Unfinished, writeResults } from './result-store.ts';

/** A message that a carrier deferred this often through a fault is refused. All attempts take some twenty minutes. */
const MOST_ATTEMPTS = 10;
const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 300_000;

const delayMs = (attempts: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempts - 1));

/** What a carrier says may have a NUL, which PostgreSQL can't store: nothing else of the flush would be stored either. */
const storable = <Said extends object>(said: Said): Said =>
  Object.fromEntries(
    Object.entries(said).map(([name, value]) => {
      if (typeof value === 'string') return [name, value.replaceAll('\0', '')];
      return [name, Array.isArray(value) ? value.map(storable) : value];
    }),
  ) as Said;

/** What became of its parts decides, whatever its carrier makes of them. */
const resultOfParts = (result: SendResult, parts: SentPart[]): SendResult => {
  const { providerMessageId: given } = result;
  const { status, code, reason } = verdictOf(parts);
  const unknown = status === 'PENDING';
  return { ...result, status, code, reason, unknown, parts, providerMessageId: firstIdOf(parts) ?? given };
};

/** What an outcome means for the message. */
export const resultOf = (message: Attempted, said: SendOutcome, now = Date.now()): SendResult => {
  const outcome = storable(said);
  const accepted = outcome.outcome === 'accepted';
  const result: SendResult = {
    message,
    status: accepted ? 'SUCCESS' : 'PENDING',
    providerMessageId: accepted ? outcome.providerMessageId : null,
    reason: '',
    code: '',
    at: now,
    notBefore: null,
    uncounted: false,
    unknown: false,
    parts: null,
  };
  if (outcome.parts) return resultOfParts(result, outcome.parts);
  if (accepted) return result;
  if (outcome.outcome === 'unknown') {
    return { ...result, reason: outcome.reason, unknown: true };
  }
  const { code, reason, retryable, notBefore } = outcome;
  if (retryable && notBefore)
    return { ...result, code, reason, notBefore: new Date(notBefore), uncounted: true };
  const counted = message.attempts - message.uncounted;
  return retryable && counted < MOST_ATTEMPTS
    ? { ...result, code, reason, notBefore: new Date(now + delayMs(counted)) }
    : { ...result, code, reason, status: 'FAILED' };
};

/** Whether a result may change more than its message, such as a refund: then the results need a transaction. */
export const mayMove = (results: SendResult[]): boolean =>
  results.some(({ status, notBefore }) => status === 'FAILED' || notBefore !== null);

/**
 * The outcomes, the refunds, and what waits again, unless its batch was cancelled or its recipient has opted out
 * meanwhile. Returns those whose receipt arrived earlier.
 */
export const recordResults = async (
  db: Db,
  { results, publisher = noSubscribers }: { results: SendResult[]; publisher?: Publisher },
): Promise<CarrierKey[]> => {
  if (results.length === 0) return [];
  const unfinished = await writeResults(db, results, publisher);
  const written = new Set(unfinished.map(({ id }) => id));
  const late = results.filter(({ parts, message }) => parts !== null && !written.has(message.id));
  if (late.length > 0)
    return [
      ...keysOf(late),
      ...(await withinTransaction(db, async (trx) =>
        finishResults(trx, { results, unfinished, failed: await addLateParts(trx, { late, publisher }) }),
      )),
    ];
  return unfinished.length === 0 ? [] : finishResults(db, { results, unfinished, failed: [] });
};

const keysOf = (results: SendResult[]): CarrierKey[] =>
  results.flatMap(({ message: { laneId }, parts }) =>
    (parts ?? []).flatMap(({ id }) => (id === undefined ? [] : [{ laneId, providerMessageId: id }])),
  );

interface Written {
  results: SendResult[];
  unfinished: Unfinished[];
  /** Failed messages that are not among `unfinished`. */
  failed: Failed[];
}

/** What more there is to do about results that are written. Returns those whose receipt arrived earlier. */
const finishResults = async (db: Db, { results, unfinished, failed }: Written): Promise<CarrierKey[]> => {
  const written = new Set(unfinished.map(({ id }) => id));
  const deferred = results
    .filter(({ notBefore, message }) => notBefore !== null && written.has(message.id))
    .map(({ message }) => message);
  const unwanted = await cancelUnwanted(db, deferred);
  // All refunds in one call, so that wallets are locked in one order.
  await refundFailed(db, [...unfinished.filter(({ status }) => status === 'FAILED'), ...unwanted, ...failed]);
  const cancelled = new Set(unwanted.map(({ id }) => id));
  const waiting = deferred.filter(({ id }) => !cancelled.has(id));
  for (const [laneId, messages] of Map.groupBy(waiting, (message) => message.laneId))
    await failOverRefused(db, laneId, messages);
  await putIntoChunks(db, waiting);
  const early = new Set(unfinished.flatMap(({ id, early }) => (early === null ? [] : [id])));
  const inParts = results.filter(({ parts, message }) => parts !== null && early.has(message.id));
  const ofParts = new Set(inParts.map(({ message }) => message.id));
  return [
    ...keysOf(inParts),
    ...unfinished.flatMap(({ id, laneId, early }) =>
      early === null || ofParts.has(id) ? [] : [{ laneId, providerMessageId: early }],
    ),
  ];
};

import { type Batcher, openBatcher } from '../../../ground/batching/index.ts';
import {
  type Db,
  indexOnlyTransaction,
  isConnectionError,
  isWriteConflict,
  preparedPool,
} from '../../../ground/postgres/index.ts';
import {
  type Inbound,
  type Lane,
  noteRecipients,
  noteSends,
  type Receipt,
  type RecipientContact,
} from '../../lanes/index.ts';
import { storeInbound } from '../incoming/inbound-store.ts';
import { readWriter } from '../incoming/read-writer.ts';
import type { OutboxDeps, ReceivedInbound } from '../outbox-deps.ts';
import type { OutboxEvent } from '../outbox-event.ts';
import type { CarrierKey } from './carrier-id-store.ts';
import type { LaneReceipt } from './early-receipt-store.ts';
import { mayRefund, recordEarlyReceipts, recordReceipts } from './record-receipts.ts';
import { mayMove, recordResults } from './record-results.ts';
import { recipientsOf, type SendResult, sendsOf } from './result-store.ts';

export type Fact =
  | { kind: 'result'; result: SendResult }
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'inbound'; inbound: Inbound };

/** What a recorder has to know about a lane. */
export type RecordedLane = Pick<Lane, 'id' | 'name' | 'channel'> & {
  /** The results also count what the lane sends. */
  throttled?: boolean;
  /** The results also record whom the lane writes to. */
  isPhone?: boolean;
  /** The same, and who writes to it. */
  isDevice?: boolean;
};

type Settled = (fact: Fact, error?: unknown) => void;

/** The part of a recorder that one lane uses. */
export interface LaneRecorder {
  /** Resolves once it is stored. */
  add: (fact: Fact) => Promise<void>;
  put: (fact: Fact, settled?: Settled) => void;
  /** Resolves once everything reported by this lane is stored. */
  drain: () => Promise<void>;
}

/**
 * Everything that the lanes of a process learn goes through one recorder: so many busy lanes share statements, and a
 * receipt never overtakes its result.
 */
export interface Recorder {
  of: (lane: RecordedLane) => LaneRecorder;
  /** Gives up what can't be stored at the first try: for a process that must end. */
  abandon: () => void;
}

interface LaneFact {
  lane: RecordedLane;
  fact: Fact;
  settled: Settled;
}

/** What one write contains. */
interface Flush {
  results: SendResult[];
  receipts: LaneReceipt[];
  inbounds: { lane: RecordedLane; inbound: Inbound }[];
  /** For lanes whose sends are counted. */
  counted: SendResult[];
  /** For the lanes of phones and devices. */
  noted: SendResult[];
}

const MOST_FACTS = 1_000;
const RETRY_MS = 200;
const isTransient = (error: unknown): boolean => isConnectionError(error) || isWriteConflict(error);

const flushOf = (items: LaneFact[]): Flush => {
  const flush: Flush = { results: [], receipts: [], inbounds: [], counted: [], noted: [] };
  for (const { lane, fact } of items)
    if (fact.kind === 'result') {
      flush.results.push(fact.result);
      if (lane.throttled) flush.counted.push(fact.result);
      if (lane.isPhone || lane.isDevice) flush.noted.push(fact.result);
    } else if (fact.kind === 'receipt') flush.receipts.push({ ...fact.receipt, laneId: lane.id });
    else flush.inbounds.push({ lane, inbound: fact.inbound });
  return flush;
};

/** One statement writes all of it, and needs no transaction around it. */
const isOneStatement = ({ results, receipts, inbounds, counted, noted }: Flush): boolean =>
  inbounds.length + counted.length + noted.length === 0 &&
  (results.length === 0 ? !mayRefund(receipts) : receipts.length === 0 && !mayMove(results));

/** Somebody who wrote to a device counts as known to it. */
const writersOf = (inbounds: Flush['inbounds']): RecipientContact[] =>
  inbounds
    .filter(({ lane }) => lane.isDevice)
    .map(({ lane, inbound: { from, at } }) => ({ laneId: lane.id, recipient: from, at: at.getTime() }));

/** Stores what came in and informs the rooms that listen, all within the transaction. */
const recordInbounds = async (
  trx: Db,
  { log, onInbound, publisher }: Pick<OutboxDeps, 'log' | 'onInbound' | 'publisher'>,
  inbounds: Flush['inbounds'],
): Promise<void> => {
  const received: ReceivedInbound[] = [];
  const events: OutboxEvent[] = [];
  for (const { lane, inbound: came } of inbounds) {
    const { channel } = lane;
    const inbound = { ...came, from: await readWriter(trx, lane, came) };
    const { fate, accountId, id, simulated } = await storeInbound(trx, lane, inbound);
    if (fate === 'unassigned') log.warn({ lane: lane.name }, 'an incoming message belongs to nobody');
    if (fate !== 'repeated') received.push({ ...inbound, accountId, laneId: lane.id, channel, simulated });
    if (id && accountId) events.push({ event: 'inbound', id, accountId });
  }
  if (received.length > 0) await onInbound?.(trx, received);
  if (events.length > 0) await publisher.publish(trx, events);
};

interface RecorderDeps extends OutboxDeps {
  timing: {
    /** How long results and receipts are collected at most. */
    gatherMs: number;
  };
}

/** Counts what one lane has reported and the database has not stored, so that a lane can end while others go on. */
const laneRecorder = (batcher: Batcher<LaneFact>, lane: RecordedLane): LaneRecorder => {
  let open = 0;
  let idle: PromiseWithResolvers<void> | undefined;
  const onSettled = ({ fact, settled }: LaneFact, error?: unknown): void => {
    open -= 1;
    if (open === 0) idle?.resolve();
    settled(fact, error);
  };
  const put = (fact: Fact, settled: Settled = () => {}): void => {
    open += 1;
    batcher.put({ lane, fact, settled }, onSettled);
  };
  return {
    put,
    add: (fact) =>
      new Promise((resolve, reject) =>
        put(fact, (_, error) => (error === undefined ? resolve() : reject(error))),
      ),
    drain: async () => {
      if (open === 0) return;
      idle ??= Promise.withResolvers();
      await idle.promise;
      idle = undefined;
    },
  };
};

export const openRecorder = (deps: RecorderDeps): Recorder => {
  const { db, log, timing, publisher } = deps;

  const record = async (
    trx: Db,
    { results, receipts, inbounds, counted, noted }: Flush,
  ): Promise<CarrierKey[]> => {
    const early = await recordResults(trx, { results, publisher });
    await noteSends(trx, sendsOf(counted));
    await noteRecipients(trx, [...recipientsOf(noted), ...writersOf(inbounds)]);
    await recordReceipts(trx, { receipts, publisher });
    await recordInbounds(trx, deps, inbounds);
    return early;
  };

  const batcher = openBatcher<LaneFact>({
    maxItems: MOST_FACTS,
    maxDelayMs: timing.gatherMs,
    retry: { isTransient: isTransient, delayMs: RETRY_MS },
    // Transient errors were retried above and never get here.
    splitFailed: () => true,
    onError: (error) => log.error({ err: error }, 'what a carrier said was not stored'),
    flush: async (items) => {
      const flush = flushOf(items);
      const write = (trx: Db) => record(trx, flush);
      const keys = await (isOneStatement(flush)
        ? preparedPool(db).connection().execute(write)
        : indexOnlyTransaction(db, write));
      if (keys.length > 0)
        await indexOnlyTransaction(db, (trx) => recordEarlyReceipts(trx, { keys, publisher })).catch(
          (error) => log.warn({ err: error }, 'receipts that came early are left to the reconcile task'),
        );
      for (const { message } of flush.results) message.claim.open -= 1;
    },
  });
  return { of: (lane) => laneRecorder(batcher, lane), abandon: batcher.abandon };
};

import { type Batcher, openBatcher } from '../batching/index.ts';
import { type Inbound, type Lane, type LaneSends, noteSends, type Receipt } from '../lanes/index.ts';
import { byIndexes, type Db, isDatabaseAway } from '../postgres/index.ts';
import { storeInbound } from './inbound-store.ts';
import type { OutboxDeps, StoredInbound } from './outbox-deps.ts';
import type { OutboxEvent } from './outbox-event.ts';
import { openRecordFastPath } from './record-fast-path.ts';
import { foldReceipts, recordReceipts } from './record-receipts.ts';
import { recordResults } from './record-results.ts';
import type { Result } from './result-store.ts';

export type Fact =
  | { kind: 'result'; result: Result }
  | { kind: 'receipt'; receipt: Receipt }
  | { kind: 'inbound'; inbound: Inbound };

/** What a recorder has to know about its lane. */
export type RecordedLane = Pick<Lane, 'id' | 'name' | 'channel'> & {
  /** What it sends is counted with the results. */
  throttled?: boolean;
};

/** Everything that a lane learns goes through one recorder, so a receipt never overtakes its result. */
export type Recorder = Batcher<Fact>;

const MOST_FACTS = 1_000;
const RETRY_MS = 200;
/** Deadlock and serialization failure: two writers collided, and the other one went first. */
const MET_ANOTHER = new Set(['40P01', '40001']);

/** What certainly was not sent does not count. */
const sendsOf = (laneId: number, results: Result[]): LaneSends[] =>
  results
    .filter(({ status, unknown }) => status === 'SUCCESS' || unknown)
    .map(({ at }) => ({ laneId, at, sent: 1 }));

const mayPass = (error: unknown): boolean =>
  isDatabaseAway(error) || MET_ANOTHER.has((error as { code?: string } | undefined)?.code ?? '');

/** Stores what came in and informs the rooms that listen, all within the transaction. */
const recordInbounds = async (
  trx: Db,
  { log, onInbound, publish }: Pick<OutboxDeps, 'log' | 'onInbound' | 'publish'>,
  { lane, inbounds }: { lane: RecordedLane; inbounds: Inbound[] },
): Promise<void> => {
  const { channel } = lane;
  const stored: StoredInbound[] = [];
  const events: OutboxEvent[] = [];
  for (const inbound of inbounds) {
    const { fate, accountId, id, free } = await storeInbound(trx, { laneId: lane.id, channel }, inbound);
    if (fate === 'unassigned') log.warn({ lane: lane.name }, 'an incoming message belongs to nobody');
    if (fate === 'stored' && accountId) stored.push({ ...inbound, accountId, channel, free });
    if (id && accountId) events.push({ event: 'inbound', id, accountId });
  }
  if (stored.length > 0) await onInbound?.(trx, stored);
  if (events.length > 0) await publish(trx, events);
};

interface RecorderDeps extends OutboxDeps {
  timing: {
    /** How long results and receipts are collected at most. */
    gatherMs: number;
  };
}

export const openRecorder = (
  { db, log, timing, onInbound, publish, hasSubscriber }: RecorderDeps,
  lane: RecordedLane,
): Recorder => {
  const recordFast = openRecordFastPath({ db, hasSubscriber }, lane.id);
  return openBatcher<Fact>({
    maxItems: MOST_FACTS,
    maxDelayMs: timing.gatherMs,
    retry: { isTransient: mayPass, delayMs: RETRY_MS },
    splitFailed: true,
    onError: (error) => log.error({ err: error, lane: lane.name }, 'what a carrier said was not stored'),
    flush: async (facts) => {
      const results: Result[] = [];
      const receipts: Receipt[] = [];
      const inbounds: Inbound[] = [];
      for (const fact of facts)
        if (fact.kind === 'result') results.push(fact.result);
        else if (fact.kind === 'receipt') receipts.push(fact.receipt);
        else inbounds.push(fact.inbound);
      const written =
        inbounds.length === 0 &&
        !lane.throttled &&
        (await recordFast({ results, summaries: foldReceipts(receipts) }));
      if (!written)
        await byIndexes(db, async (trx) => {
          await recordResults(trx, { laneId: lane.id, results, publish });
          if (lane.throttled) await noteSends(trx, sendsOf(lane.id, results));
          await recordReceipts(trx, { laneId: lane.id, receipts, publish });
          await recordInbounds(trx, { log, onInbound, publish }, { lane, inbounds });
        });
      for (const { message } of results) message.claim.open -= 1;
    },
  });
};

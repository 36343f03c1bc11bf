import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../ground/domain-error.ts';
import { findLane } from '../lanes/index.ts';
import { type LaneRecorder, type LateReceipts, openLateReceipts, openRecorder } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { inboundInto, receiptsInto } from './lane-events.ts';
import type { Receiver, ReceivingLane } from './provider-webhook.ts';
import { DELIVERY_TIMING } from './timing.ts';

interface ReceiverDeps extends Omit<DeliveryDeps, 'timing'> {
  timing?: Partial<DeliveryDeps['timing']>;
  /** The caller has to come again if its report is not stored within this. */
  timeoutMs?: number;
  /** With this many waiting for the database, callers are refused immediately and have to come again. */
  mostWaiting?: number;
}

const TIMEOUT_MS = 8_000;
const MOST_WAITING = 10_000;
/** A name may pass to another lane. Busy lanes are not looked up for each report. */
const NAMES_KNOWN_MS = 500;

type FoundLane = Exclude<ReceivingLane, string>;

/**
 * Stores the reports of providers that call us. The called process need not be the worker that holds the lane: reports
 * are written in the same way as the lane's own, collected with others that arrive at the same time.
 */
export const openReceiver = ({
  db,
  log,
  timing,
  timeoutMs = TIMEOUT_MS,
  mostWaiting = MOST_WAITING,
  ...rest
}: ReceiverDeps): Receiver<ReceivingLane> => {
  /** By the lane's id, which never becomes that of another. */
  const opened = new Map<number, { recorder: LaneRecorder; late: LateReceipts }>();
  const named = new Map<string, { at: number; lane: Promise<FoundLane> }>();
  const deps = { ...rest, db, log, timing: { ...DELIVERY_TIMING, ...timing } };
  const recorder = openRecorder(deps);
  let waiting = 0;

  const find = async (laneName: string): Promise<FoundLane> => {
    const lane = await findLane(db, laneName);
    // Lanes are stored when a worker starts: the provider has to come again.
    if (!lane) throw new Error(`there is no lane ${laneName} yet`);
    return lane;
  };
  const findNamed = (laneName: string): Promise<FoundLane> => {
    const known = named.get(laneName);
    if (known && performance.now() - known.at < NAMES_KNOWN_MS) return known.lane;
    const lane = find(laneName);
    named.set(laneName, { at: performance.now(), lane });
    lane.catch(() => named.delete(laneName));
    return lane;
  };
  const open = async (given: ReceivingLane) => {
    const lane = typeof given === 'string' ? await findNamed(given) : given;
    const known = opened.get(lane.id) ?? { recorder: recorder.of(lane), late: openLateReceipts(deps, lane) };
    opened.set(lane.id, known);
    return known;
  };

  const within = async (storing: Promise<unknown>): Promise<void> => {
    const stored = new AbortController();
    try {
      await Promise.race([
        storing,
        sleep(timeoutMs, undefined, { signal: stored.signal }).then(() => {
          throw new DomainError('E_UNAVAILABLE');
        }),
      ]);
    } finally {
      stored.abort();
    }
  };

  const take = async <Told>(
    lane: ReceivingLane,
    told: Told[],
    into: (opened: LaneRecorder) => (one: Told) => Promise<void>,
  ): Promise<void> => {
    if (told.length === 0) return;
    if (waiting + told.length > mostWaiting) throw new DomainError('E_UNAVAILABLE');
    waiting += told.length;
    const store = async (): Promise<void> => {
      const add = into((await open(lane)).recorder);
      await Promise.all(told.map(add));
    };
    const storing = store().finally(() => {
      waiting -= told.length;
    });
    await within(storing);
  };

  return {
    receipts: async (lane, receipts) => {
      await take(lane, receipts, receiptsInto);
      if (receipts.length === 0) return;
      const { late } = await open(lane);
      late.watch(receipts.map(({ providerMessageId }) => providerMessageId));
    },
    inbound: (lane, inbound) => take(lane, inbound, inboundInto),
  };
};

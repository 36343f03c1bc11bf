import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../domain-error.ts';
import { findLane } from '../lanes/index.ts';
import { type LaneRecorder, type LateReceipts, openLateReceipts, openRecorder } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { inboundInto, receiptsInto } from './lane-events.ts';
import type { Receiver } from './provider-webhook.ts';
import { TIMING } from './timing.ts';

interface ReceiverDeps extends Omit<DeliveryDeps, 'timing'> {
  timing?: Partial<DeliveryDeps['timing']>;
  /** The caller has to come again if its report is not stored within this. */
  timeoutMs?: number;
  /** With this many waiting for the database, callers are refused immediately and have to come again. */
  mostWaiting?: number;
}

const TIMEOUT_MS = 8_000;
const MOST_WAITING = 10_000;

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
}: ReceiverDeps): Receiver => {
  const opened = new Map<string, Promise<{ recorder: LaneRecorder; late: LateReceipts }>>();
  const deps = { ...rest, db, log, timing: { ...TIMING, ...timing } };
  const recorder = openRecorder(deps);
  let waiting = 0;

  const open = async (laneName: string) => {
    const lane = await findLane(db, laneName);
    // Lanes are stored when a worker starts: the provider has to come again.
    if (!lane) throw new Error(`there is no lane ${laneName} yet`);
    return { recorder: recorder.of(lane), late: openLateReceipts(deps, lane) };
  };
  const openOnce = (laneName: string): ReturnType<typeof open> => {
    const known = opened.get(laneName);
    if (known) return known;
    const opening = open(laneName);
    opened.set(laneName, opening);
    opening.catch(() => opened.delete(laneName));
    return opening;
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
    laneName: string,
    told: Told[],
    into: (recorder: LaneRecorder) => (one: Told) => Promise<void>,
  ): Promise<void> => {
    if (told.length === 0) return;
    if (waiting + told.length > mostWaiting) throw new DomainError('E_UNAVAILABLE');
    const add = into((await openOnce(laneName)).recorder);
    waiting += told.length;
    const storing = Promise.all(told.map(add)).finally(() => {
      waiting -= told.length;
    });
    await within(storing);
  };

  return {
    receipts: async (laneName, receipts) => {
      await take(laneName, receipts, receiptsInto);
      if (receipts.length === 0) return;
      const { late } = await openOnce(laneName);
      late.watch(receipts.map(({ providerMessageId }) => providerMessageId));
    },
    inbound: (laneName, inbound) => take(laneName, inbound, inboundInto),
  };
};

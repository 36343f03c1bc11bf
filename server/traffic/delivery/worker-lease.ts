import { endWorker, renewWorker, type Worker } from '../lanes/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { WorkerJournal } from './worker-journal.ts';

interface WorkerLeaseOptions {
  worker: Worker;
  laneIds: number[];
  journal: WorkerJournal;
}

export interface Renewal {
  asked: number;
  /** It had lapsed before. */
  lapsed: boolean;
}

/**
 * The lease of a worker: by this one row it keeps all lanes that it has taken. By our own clock, which is the cautious
 * one, it is either
 *
 * - held, until `leasedUntil`: its lanes may send, and it takes and gives back lanes; or
 * - lapsed: before the first renewal, or because one came too late. Nothing is sent, and no lane is given up: the
 *   next renewal tells which of them another worker has taken meanwhile.
 */
export const openWorkerLease = (
  { db, log, timing }: Pick<DeliveryDeps, 'db' | 'log' | 'timing'>,
  { worker, laneIds, journal }: WorkerLeaseOptions,
) => {
  let leasedUntil = 0;
  const isHeld = (now = Date.now()): boolean => now < leasedUntil;
  return {
    isHeld,
    /** Tells the database of the journal, too. `mayGoOn`: sending had to wait for that. */
    renew: async (): Promise<Renewal & { mayGoOn: boolean }> => {
      const asked = Date.now();
      const lapsed = !isHeld(asked);
      const complete = journal.current().isComplete();
      await renewWorker(db, {
        ...worker,
        leaseMs: timing.leaseMs,
        serving: true,
        journaled: complete,
        laneIds,
      });
      leasedUntil = asked + timing.leaseMs;
      return { asked, lapsed, mayGoOn: journal.store(complete) };
    },
    /** If the database is away, the next process has to learn from the journal what was left. */
    end: (): Promise<void> =>
      endWorker(db, worker.id)
        .then(() => journal.current().close())
        .catch((error) => log.warn({ err: error }, 'a worker was not ended')),
  };
};

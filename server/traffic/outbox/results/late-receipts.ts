import { indexOnlyTransaction } from '../../../ground/postgres/index.ts';
import type { OutboxDeps } from '../outbox-deps.ts';
import { findEarly } from './early-receipt-store.ts';
import { recordEarlyReceipts } from './record-receipts.ts';
import type { RecordedLane } from './recorder.ts';

const FIRST_MS = 50;
/** Some six seconds in all; the reconcile task finds the rest. */
const MOST_LOOKS = 7;

/**
 * If one process stores a receipt while another stores the carrier's answer, neither sees the other's transaction. So
 * after a moment, and a few longer ones, it checks again whether both are there.
 */
export const openLateReceipts = (
  { db, log, publisher }: Pick<OutboxDeps, 'db' | 'log' | 'publisher'>,
  lane: RecordedLane,
) => {
  /** How often each receipt was checked. */
  let watched = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const looked = watched;
    watched = new Map();
    const early = await findEarly(db, lane.id, [...looked.keys()]);
    const keys = early.flatMap(({ providerMessageId, known }) =>
      known ? [{ laneId: lane.id, providerMessageId }] : [],
    );
    if (keys.length > 0)
      await indexOnlyTransaction(db, (trx) => recordEarlyReceipts(trx, { keys, publisher }));
    for (const { providerMessageId, known: there } of early) {
      const looks = (looked.get(providerMessageId) ?? 0) + 1;
      if (!there && looks < MOST_LOOKS) watched.set(providerMessageId, looks);
    }
  };

  const schedule = (): void => {
    if (timer || watched.size === 0) return;
    const looks = Math.min(...watched.values());
    timer = setTimeout(
      () => {
        timer = undefined;
        look()
          // The reconcile task handles them.
          .catch((error) => log.warn({ err: error, lane: lane.name }, 'late receipts were not looked for'))
          .finally(schedule);
      },
      FIRST_MS * 2 ** looks,
    );
    timer.unref();
  };

  return {
    watch: (providerMessageIds: string[]): void => {
      for (const id of providerMessageIds) watched.set(id, 0);
      schedule();
    },
  };
};
export type LateReceipts = ReturnType<typeof openLateReceipts>;

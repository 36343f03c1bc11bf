import { type JournalSettings, NO_JOURNAL, openJournal } from '../journal/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

interface WorkerJournalOptions {
  workerId: string;
  /** Undefined if the worker runs without a journal. */
  settings: JournalSettings | undefined;
  /** The database has to know that it is not complete. */
  onBroken: () => void;
}

export type WorkerJournal = ReturnType<typeof openWorkerJournal>;

/** This worker's journal, and whether the database knows how it is: nothing is handed over without either. */
export const openWorkerJournal = (
  { log }: Pick<DeliveryDeps, 'log'>,
  { workerId, settings, onBroken }: WorkerJournalOptions,
) => {
  let journal = NO_JOURNAL;
  let stored = false;
  const open = async ({ folder, maxBytes }: JournalSettings): Promise<void> => {
    journal = await openJournal({
      folder,
      ...(maxBytes && { maxBytes }),
      workerId,
      onBroken: (error) => {
        log.warn({ err: error }, 'the journal cannot be written: what a kill leaves claimed will be unknown');
        onBroken();
      },
    });
  };
  return {
    open: async (): Promise<void> => {
      if (settings)
        await open(settings).catch((error) =>
          log.warn({ err: error }, 'no journal is kept: what a kill leaves claimed will be unknown'),
        );
    },
    current: () => journal,
    isStored: (): boolean => stored === journal.isComplete(),
    /**
     * Records that the database has stored the journal's state. Returns whether sending that waited for this may go
     * on.
     */
    store: (complete: boolean): boolean => {
      const goesOn = stored && !complete;
      if (!complete) journal.giveUp();
      stored = complete;
      return goesOn;
    },
  };
};

import { type JournalSettings, NO_JOURNAL, openJournal } from '../journal/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

interface WorkerJournalOptions {
  workerId: string;
  /** None: without a journal. */
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
    /** The database knows this of it. Returns whether sending may go on that had to wait for it. */
    store: (complete: boolean): boolean => {
      const goesOn = stored && !complete;
      if (!complete) journal.giveUp();
      stored = complete;
      return goesOn;
    },
  };
};

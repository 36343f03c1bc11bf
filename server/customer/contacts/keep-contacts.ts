import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../ground/postgres/index.ts';
import { makeContacts, type TakeRecipients } from './make-contacts.ts';

interface KeepContactsOptions {
  db: Db;
  takeRecipients: TakeRecipients;
  log: { warn: (facts: object, text: string) => void };
}

/** How soon a recipient is among the contacts. */
const IDLE_MS = 1_000;
const FAILED_MS = 5_000;
/** It pauses this many times longer than it works: nobody waits for contacts, but many wait for messages being sent. */
const RESTS = 30;
const LONGEST_REST_MS = 2_000;

/**
 * Creates contacts from accepted messages in the background, as long as the process runs; several processes may do so
 * concurrently.
 */
export const keepContacts = ({ db, takeRecipients, log }: KeepContactsOptions) => {
  const stopping = new AbortController();
  const rest = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      try {
        const start = performance.now();
        const made = await makeContacts(db, takeRecipients);
        await rest(made === 0 ? IDLE_MS : Math.min(LONGEST_REST_MS, (performance.now() - start) * RESTS));
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'contacts were not made; they will be later');
        await rest(FAILED_MS);
      }
  };
  const running = run();
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};

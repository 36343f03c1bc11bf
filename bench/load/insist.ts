import { setTimeout as sleep } from 'node:timers/promises';

const INSIST_MS = 180_000;

/** Retries until what was killed is back. */
export const insist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (const end = Date.now() + INSIST_MS; ; await sleep(200))
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
};

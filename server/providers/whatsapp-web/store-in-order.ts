import { setTimeout as sleep } from 'node:timers/promises';

interface StoreOptions {
  pauseMs: number;
  /** Whether what was refused may be stored later. */
  isTransient: (error: unknown) => boolean;
  warn: (error: unknown) => void;
}

/**
 * Stores what a device tells, in its order. WhatsApp tells nothing twice: what could not be stored is tried again for as
 * long as the device is open. What can never be stored is left out, so that nothing waits behind it.
 */
export const storeInOrder = ({ pauseMs, isTransient, warn }: StoreOptions) => {
  let last: Promise<void> = Promise.resolve();
  let closing = false;
  const untilStored = async (write: () => Promise<void> | undefined): Promise<void> => {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        warn(error);
        if (closing || !isTransient(error)) return;
        await sleep(pauseMs);
      }
    }
  };
  return {
    store: (write: () => Promise<void> | undefined): void => {
      last = last.then(() => untilStored(write));
    },
    /** For what will be stored anew anyway. */
    tryOnce: (write: () => Promise<void>): void => {
      last = last.then(write).catch(warn);
    },
    /** Resolves when all is stored that can be: nothing is tried again from now on. */
    close: async (): Promise<void> => {
      closing = true;
      await last;
    },
  };
};

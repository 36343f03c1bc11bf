/**
 * Work that runs soon after it is asked for, once at a time: whoever asks while it runs, as the work itself
 * may, has it run once more, after a failure too. `onError` may not throw.
 */
export const coalesced = (work: () => Promise<void>, onError: (error: unknown) => void) => {
  let asked = false;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (asked) {
      asked = false;
      await work().catch(onError);
    }
    // In the turn of the last look, so that nobody asks in between and is not heard.
    running = undefined;
  };
  return {
    ask: (): void => {
      asked = true;
      // Not at once: the work itself may ask.
      running ??= Promise.resolve().then(run);
    },
    /** Resolves once nothing runs. */
    idle: async (): Promise<void> => running,
  };
};

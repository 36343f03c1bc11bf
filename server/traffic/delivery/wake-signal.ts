/** A signal that one loop waits for. A signal that nobody waits for is kept, and ends the next wait immediately. */
export interface WakeSignal {
  signal: () => void;
  /** Resolves at the next signal, or after the time given. */
  wait: (timeoutMs: number) => Promise<void>;
}

export const openWakeSignal = (): WakeSignal => {
  let kept = false;
  let wake: (() => void) | undefined;
  return {
    signal: () => {
      if (wake) wake();
      else kept = true;
    },
    wait: (timeoutMs) =>
      new Promise((resolve) => {
        if (kept) {
          kept = false;
          resolve();
          return;
        }
        const timer = setTimeout(() => wake?.(), timeoutMs);
        wake = () => {
          clearTimeout(timer);
          wake = undefined;
          resolve();
        };
      }),
  };
};

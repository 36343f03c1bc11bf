/** Something to wait for. A ring that nobody waits for is kept: the next to wait hears it at once. */
export interface Bell {
  ring: () => void;
  /** Resolves at the next ring, or after the time given. */
  heard: (timeoutMs: number) => Promise<void>;
}

export const openBell = (): Bell => {
  let rung = false;
  let hear: (() => void) | undefined;
  return {
    ring: () => {
      if (hear) hear();
      else rung = true;
    },
    heard: (timeoutMs) =>
      new Promise((resolve) => {
        if (rung) {
          rung = false;
          resolve();
          return;
        }
        const timer = setTimeout(() => hear?.(), timeoutMs);
        hear = () => {
          clearTimeout(timer);
          hear = undefined;
          resolve();
        };
      }),
  };
};

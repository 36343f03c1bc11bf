import type { SessionProcess } from './session-process.ts';

interface KeepOptions {
  /** Starts the process; it calls `ended` when it is over, for whatever reason. */
  start: (ended: () => void) => Promise<SessionProcess>;
  /** Of the pauses before it is started again. */
  firstMs: number;
  longestMs: number;
  warn: (error: unknown) => void;
}

/** Keeps the process of a device running: until it is stopped, one that ends is started again after a pause. */
export const keepRunning = ({ start, firstMs, longestMs, warn }: KeepOptions) => {
  let running: SessionProcess | undefined;
  let starting: Promise<void> = Promise.resolve();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = firstMs;

  const again = (): void => {
    running = undefined;
    if (stopped) return;
    timer = setTimeout(begin, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestMs);
  };
  const begin = (): void => {
    starting = start(again).then(
      (started) => {
        running = started;
      },
      (error) => {
        warn(error);
        again();
      },
    );
  };
  return {
    begin,
    current: (): SessionProcess | undefined => running,
    /** It is well: the next pause is a short one. */
    steady: (): void => {
      pauseMs = firstMs;
    },
    stop: async (timeoutMs: number): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      await starting;
      await running?.end(timeoutMs);
    },
  };
};

import { say } from '../ground/terminal/index.ts';

const SECOND_SIGNAL_MS = 1_000;

/** Ends the program in order when it is told to by a signal. Answers whether that has begun. */
export const stopOnSignals = (ending: AsyncDisposableStack): (() => boolean) => {
  let stoppingSince: number | undefined;
  const stop = async (): Promise<void> => {
    if (stoppingSince !== undefined) {
      // A second Ctrl-C means: immediately (the embedded database's guard ends it after us). One Ctrl-C arrives several
      // times, from the terminal and passed on by npm, but within a moment.
      if (Date.now() - stoppingSince > SECOND_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSince = Date.now();
    await ending.disposeAsync();
    say('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  return () => stoppingSince !== undefined;
};

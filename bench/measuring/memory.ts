import { treeOf } from './processes.ts';

/** Each look starts a process, which takes time from what is measured. */
const LOOK_MS = 1_000;

/** Samples a process; returns the most memory that it had, in megabytes. */
export const watchMemory = (pid: number | undefined): { most: () => number } => {
  let most = 0;
  const timer = setInterval(() => {
    const own = treeOf(pid ?? 0).find((one) => one.pid === pid);
    most = Math.max(most, (own?.kilobytes ?? 0) / 1_000);
  }, LOOK_MS);
  return {
    most: () => {
      clearInterval(timer);
      return most;
    },
  };
};

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const inUse = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/**
 * By how much live memory has grown since now: not the memory that the process has taken from the system, which grows
 * and shrinks at will. What is in use is never less than what is alive, and to tell them apart takes long in a process
 * that has many tests loaded: so garbage is only collected where `limitBytes` would be exceeded with it.
 */
export const openLiveMemory = (limitBytes: number): { grownBytes: () => number } => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  collectGarbage();
  const before = inUse();
  return {
    grownBytes: () => {
      if (inUse() - before >= limitBytes) collectGarbage();
      return inUse() - before;
    },
  };
};

import { statfsSync } from 'node:fs';

/** Logs, uploads on their way and the embedded database need room. */
export const LEAST_FREE_BYTES = 2 * 1024 ** 3;

/** Undefined if it can't be seen. */
export const freeBytesOf = (folder: string): number | undefined => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
};

export const isDiskLow = (folder: string): boolean =>
  (freeBytesOf(folder) ?? Number.POSITIVE_INFINITY) < LEAST_FREE_BYTES;

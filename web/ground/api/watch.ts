/** A polled value, and when to poll again. */
export interface Watched<T> {
  value: T;
  /** How many polls in a row brought the same value. */
  quiet: number;
  /** The wait until the next poll; false when polling has ended. */
  waitMs: number | false;
}

const QUICK_MS = 1_000;
const LONGEST_MS = 10_000;
const SLOWER = 1.5;
/** Counting a large batch costs the server time, so the wait is this many times as long as the answer took. */
const REST = 5;

/**
 * Waits a second while the value changes and longer while it does not, and never so short that polling alone keeps
 * the server busy. After `looks` unchanged answers it ends.
 */
export const watch = <T>(
  before: Watched<T> | undefined,
  value: T,
  { looks, tookMs }: { looks: number; tookMs: number },
): Watched<T> => {
  const unchanged = before !== undefined && JSON.stringify(before.value) === JSON.stringify(value);
  const quiet = unchanged ? before.quiet + 1 : 0;
  if (quiet >= looks) return { value, quiet, waitMs: false };
  const waitMs = Math.min(LONGEST_MS, QUICK_MS * SLOWER ** quiet);
  return { value, quiet, waitMs: Math.max(waitMs, tookMs * REST) };
};

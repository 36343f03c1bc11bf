/** What was asked for repeatedly, and when to ask again. */
export interface Watched<T> {
  value: T;
  /** How many times in a row it was unchanged. */
  quiet: number;
  /** Until the next question; false when no more is expected. */
  waitMs: number | false;
}

const QUICK_MS = 1_000;
const LONGEST_MS = 10_000;
const SLOWER = 1.5;
/** Counting a large batch takes the server some time: it shall spend most of its time on sending it. */
const REST = 5;

/**
 * A second while things move, longer while they don't; and never so often that the answers alone keep the server
 * busy. After `looks` unchanged answers it ends.
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

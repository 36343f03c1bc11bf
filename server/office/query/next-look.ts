import type { ReadOutcome } from './reader.ts';
import type { LeftQuery } from './store.ts';

const FIRST_POLL_MS = 20;
const LONGEST_POLL_MS = 5_000;

/** Until a database is asked again whether a statement is still there, of the time that is left for it. */
export const pollAfter = (formerMs: number | undefined, leftMs = Number.POSITIVE_INFINITY): number =>
  Math.min(formerMs === undefined ? FIRST_POLL_MS : Math.min(2 * formerMs, LONGEST_POLL_MS), leftMs);

/** What its statement has become once it is gone, as far as is known while it goes on. */
export const lingersAs = ({ kind }: ReadOutcome): 'cancelled' | 'timed_out' | 'failed' =>
  kind === 'cancelled' || kind === 'timed_out' ? kind : 'failed';

/**
 * The pause before a statement is run again that ended with its server, through no fault of its own: within its own time,
 * and at least once. Undefined: what it came to stands.
 */
export const againAfter = (
  outcome: ReadOutcome,
  { runs, elapsedMs, timeoutMs }: { runs: number; elapsedMs: number; timeoutMs: number },
): number | undefined => {
  if (outcome.kind !== 'failed' || !outcome.lost) return undefined;
  if (runs === 1) return 0;
  // A server that starts again may let somebody in and end him a moment later.
  return elapsedMs < timeoutMs ? FIRST_POLL_MS : undefined;
};

/** Until then a statement that was left as running may be another service's that lives, or end with its connection. */
export const quietFor = (
  { lingeringSince, createdAt }: Pick<LeftQuery, 'lingeringSince' | 'createdAt'>,
  { aliveMs, now }: { aliveMs: number; now: number },
): number => (lingeringSince ? 0 : Math.max(0, createdAt.getTime() + aliveMs - now));

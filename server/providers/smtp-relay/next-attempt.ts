import type { RelayOptions } from './relay-options.ts';

interface Ended {
  /** How many attempts in a row had failed before. */
  failures: number;
  /** We ended it. */
  planned: boolean;
  /** How long messages could be sent; 0 if they never could. */
  stoodMs: number;
}

/** How long to wait after a connection ended, and how many have failed in a row by now. */
export const nextAttempt = (
  { failures, planned, stoodMs }: Ended,
  { firstMs, maxMs }: RelayOptions['reconnect'],
  chance = Math.random(),
): { failures: number; waitMs: number } => {
  if (planned) return { failures: 0, waitMs: 0 };
  // A connection that ends as soon as it is made must not be repeated without a pause.
  const before = stoodMs > maxMs ? 0 : failures;
  // Half of the wait is random, so that many clients don't reconnect together.
  return { failures: before + 1, waitMs: Math.min(maxMs, firstMs * 2 ** before) * (0.5 + chance / 2) };
};

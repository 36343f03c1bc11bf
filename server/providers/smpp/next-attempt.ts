import type { SmppOptions } from './smpp-options.ts';

/**
 * How long to wait after a connection ended, and how many have failed in a row by now. `failures` had before; `stoodMs`
 * it was bound, or 0.
 */
export const nextAttempt = (
  { failures, stoodMs }: { failures: number; stoodMs: number },
  { firstMs, maxMs }: SmppOptions['reconnect'],
  chance = Math.random(),
): { failures: number; waitMs: number } => {
  // A bind that ends as soon as it is made must not be repeated without a pause.
  const before = stoodMs > maxMs ? 0 : failures;
  // Half of the wait is random, so that many clients don't reconnect together.
  return { failures: before + 1, waitMs: Math.min(maxMs, firstMs * 2 ** before) * (0.5 + chance / 2) };
};

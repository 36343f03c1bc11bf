import { idempotencyKey } from '../../ground/api/idempotency-key.ts';

/** A double click, or Enter held down, sends once: repeats within this time keep their key. */
export const DOUBLE_CLICK_MS = 2_000;

interface Attempt {
  key: string;
  acceptedAt?: number;
}

/**
 * The idempotency key of each request. The same content keeps its key during the call, when its answer was lost, and
 * for a moment after it was accepted: the server then sends it once and repeats its first answer.
 */
export const openAttempts = (now: () => number = Date.now) => {
  const attempts = new Map<string, Attempt>();
  return {
    keyFor: (content: string): string => {
      const known = attempts.get(content);
      if (known && (known.acceptedAt === undefined || now() - known.acceptedAt < DOUBLE_CLICK_MS))
        return known.key;
      const key = idempotencyKey();
      attempts.set(content, { key });
      return key;
    },
    accepted: (content: string): void => {
      const known = attempts.get(content);
      if (known) known.acceptedAt ??= now();
    },
    /** A refused call stores nothing at the server, so the next call gets a new key. */
    refused: (content: string): void => {
      attempts.delete(content);
    },
  };
};

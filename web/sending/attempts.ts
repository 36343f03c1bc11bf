import { idempotencyKey } from '../api/idempotency-key.ts';

/** A double click, or Enter held down, is one wish. */
export const ONE_WISH_MS = 2_000;

interface Attempt {
  key: string;
  acceptedAt?: number;
}

/**
 * Which key a request is sent with. The same content keeps its key while it is on its way, when its answer was
 * lost, and for a moment after it was accepted: the server then sends it once and repeats its first answer.
 */
export const openAttempts = (now: () => number = Date.now) => {
  const attempts = new Map<string, Attempt>();
  return {
    keyFor: (content: string): string => {
      const known = attempts.get(content);
      if (known && (known.acceptedAt === undefined || now() - known.acceptedAt < ONE_WISH_MS))
        return known.key;
      const key = idempotencyKey();
      attempts.set(content, { key });
      return key;
    },
    accepted: (content: string): void => {
      const known = attempts.get(content);
      if (known) known.acceptedAt ??= now();
    },
    /** A refused call leaves nothing at the server: the next one is a new one. */
    refused: (content: string): void => {
      attempts.delete(content);
    },
  };
};

import { hash } from 'node:crypto';

/** Two requests are the same if their hashes are equal: a repeated idempotency key is checked with it. */
export const requestHash = (request: unknown): Buffer => hash('sha256', JSON.stringify(request), 'buffer');

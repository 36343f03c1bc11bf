import { hash } from 'node:crypto';

/** Two requests are the same when their hashes are: what a repeated idempotency key is checked against. */
export const requestHash = (request: unknown): Buffer =>
  hash(
    'sha256',
    JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
    'buffer',
  );

import { hash } from 'node:crypto';
import type { Postings } from '../ledger/ledger-store.ts';

/** Two requests are the same if their hashes are equal: a repeated idempotency key is checked with it. */
export const requestHash = (request: unknown): Buffer =>
  hash(
    'sha256',
    JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)),
    'buffer',
  );

/** Of an entry without a request of its own. Stored hashes have the null, so it stays. */
export const postingsHash = (postings: Postings): Buffer => requestHash([postings, null]);

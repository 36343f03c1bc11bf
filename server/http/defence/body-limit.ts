import type { IncomingHttpHeaders } from 'node:http';

/** Of a body, unless its call allows more. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/** Of a body that is read whoever sends it, however many others arrive. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** How long a body is by its headers; without a length it may be of any. */
export const announcedBytes = ({ headers }: { headers: IncomingHttpHeaders }): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Number.POSITIVE_INFINITY;

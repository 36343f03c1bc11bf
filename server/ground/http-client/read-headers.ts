import type { IncomingHttpHeaders } from 'node:http';

/** Headers that have a single value (RFC 9110): the first one counts. */
const SINGLE = new Set([
  'age',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
]);

/** Repeated headers as Node's own client gives them: joined, except for cookies, which are a list. */
export const readHeaders = (given: Record<string, string | string[] | undefined>): IncomingHttpHeaders => {
  for (const [name, value] of Object.entries(given))
    if (Array.isArray(value) && name !== 'set-cookie')
      given[name] = SINGLE.has(name) ? value[0] : value.join(', ');
  return given;
};

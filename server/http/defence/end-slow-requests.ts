import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A whole request, a file on a slow line too. */
const REQUEST_MS = 30 * 60_000;
const HEADERS_MS = 10_000;
/** The body of a call of a megabyte, and a larger one in proportion. */
const BODY_MS = 30_000;
const MEGABYTE = 1024 * 1024;
/** A file of which nothing more arrives. */
const IDLE_MS = 30_000;
/** What arrives of a file in each such time after the first, even on a slow line. */
const UPLOAD_PACE = { ms: 30_000, bytes: 64 * 1024 };
/** An answer of which nothing more is read. */
const UNREAD_MS = 60_000;
/** How often Node looks for requests that take too long. */
const LOOK_MS = 2_000;

/** For the server itself: a connection that sends nothing, or its headers too slowly, is cut. */
export const SLOW_REQUESTS = {
  requestTimeout: REQUEST_MS,
  http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: LOOK_MS },
};

/** Node cuts a connection on which nothing moves for this long; 0 for as long as it takes. */
const cutAfter = ({ socket }: IncomingMessage, ms: number): void => {
  // An injected request has none.
  if (socket instanceof Socket) socket.setTimeout(ms);
};

/** A form with a file, which is read as it arrives; any other body of such a call is read like that of all others. */
export const isForm = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.upload === true && /^multipart\/form-data/i.test(headers['content-type'] ?? '');

/** Cuts the connection of a file that stops arriving, or comes in drops; returns how to end that. */
export const cutSlowUpload = (request: IncomingMessage): (() => void) => {
  cutAfter(request, IDLE_MS);
  let before: number | undefined;
  const timer = setInterval(() => {
    const { socket } = request;
    if (before !== undefined && socket.bytesRead - before < UPLOAD_PACE.bytes) socket.destroy();
    before = socket.bytesRead;
  }, UPLOAD_PACE.ms);
  return () => {
    clearInterval(timer);
    cutAfter(request, 0);
  };
};

/** Cuts bodies that arrive too slowly, and answers that nobody reads. An answer may take as long as its work takes. */
export const endSlowRequests = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, _, done) => {
    const { raw, routeOptions } = request;
    if (raw.method !== 'GET' && !isForm(request)) {
      const megabytes =
        Math.min(routeOptions.bodyLimit, Number(raw.headers['content-length'] ?? 0)) / MEGABYTE;
      const timer = setTimeout(() => raw.destroy(), BODY_MS * Math.max(1, megabytes || 0));
      raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
  app.addHook('onSend', ({ raw }, _, payload, done) => {
    cutAfter(raw, UNREAD_MS);
    done(null, payload);
  });
};

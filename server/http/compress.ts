import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A smaller answer travels in one packet either way. Bytes, roughly. */
const LEAST = 1_400;
/** Good for text that is compressed while somebody waits; the highest quality takes a hundred times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

type Encoding = 'br' | 'gzip';
const WHOLE = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/** The best encoding that the caller takes; `q=0` means that he does not. */
export const encodingOf = (accepted: string | undefined): Encoding | undefined => {
  const names = (accepted ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((name) => names.includes(name));
};

const announce = (reply: FastifyReply, encoding: Encoding) =>
  reply.header('content-encoding', encoding).header('vary', 'accept-encoding').removeHeader('content-length');

/**
 * Compresses answers that are long enough. Their length then depends on their content, which betrays a secret to somebody
 * who can have the same answer made again and again with text of his own in it (BREACH). Nobody can here: a session or
 * secret travels in a header that only its owner's code sets, never in a cookie that a browser adds to the requests of
 * other sites' pages.
 */
export const compressAnswers = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < LEAST) return done(null, payload);
    const encoding = encodingOf(request.headers['accept-encoding']);
    if (!encoding || reply.hasHeader('content-encoding')) return done(null, payload);
    const options = encoding === 'br' ? BROTLI : {};
    WHOLE[encoding](payload, options).then((compressed) => {
      announce(reply, encoding);
      done(null, compressed);
    }, done);
  });
};

const COMPRESSIBLE = /^(text\/|application\/json)/;

/**
 * A file's text, compressed as fast as the caller reads it. If its source fails, the compressed one breaks off too,
 * without its proper end; if the caller leaves, the source is released.
 */
export const compressFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, body }: { contentType: string; body: Readable },
): Readable => {
  const encoding = COMPRESSIBLE.test(contentType) && encodingOf(request.headers['accept-encoding']);
  if (!encoding) return body;
  announce(reply, encoding);
  // The reply reports what becomes of the pipeline's end.
  return pipeline(body, encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(), () => {});
};

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FileAnswer } from '../../ground/route/index.ts';
import { compressFile } from '../compress.ts';

/** A name that can't break a header; the true one is added in the form of RFC 6266. */
const foreignName = (name: string): string => {
  const plain = name.replace(/[^\w.-]+/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escape);
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/**
 * A stream has no length beforehand: one that breaks off does so without its proper end, so that it is never taken
 * for whole.
 */
export const answerFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, fileName, body, bytes, foreign }: FileAnswer,
): FastifyReply => {
  const name = foreign ? foreignName(fileName) : `filename="${fileName}"`;
  reply
    .header('cache-control', foreign ? 'private, no-store' : 'no-store')
    .header('content-disposition', `attachment; ${name}`)
    .type(contentType);
  if (bytes !== undefined) reply.header('content-length', bytes);
  if (foreign)
    reply
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox");
  // What a stranger sent is passed on byte by byte.
  const asIs = foreign || !(body instanceof Readable);
  return reply.send(asIs ? body : compressFile(request, reply, { contentType, body }));
};

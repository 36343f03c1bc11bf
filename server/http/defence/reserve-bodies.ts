import type { FastifyInstance } from 'fastify';
import { openQuota } from '../../ground/limits/index.ts';
import { announcedBytes, SMALL_BODY_BYTES } from './body-limit.ts';
import { isForm } from './end-slow-requests.ts';
import { requestAddress } from './request-origin.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The header alone has shown who calls. */
    isKnown?: boolean;
  }
}

const MEGABYTE = 1024 * 1024;
/** Bytes, in one process. A customer may have 64 calls of a megabyte under way, with the secret in each body. */
const STRANGERS = { total: 256 * MEGABYTE, perKey: 64 * MEGABYTE };
const STRANGER_MS = 20_000;

/**
 * A secret in the body, or a signature over it, shows who calls only once all of the body is in memory. Until then a
 * large one takes its bytes from what strangers may take together, and from one address, and has little time to arrive.
 */
export const reserveBodies = (app: FastifyInstance, most = STRANGERS): void => {
  const take = openQuota(most);
  app.addHook('preParsing', (request, reply, _, done) => {
    const { raw, caller, isKnown } = request;
    const bytes = announcedBytes(raw);
    // A caller that hung up before its turn must not reserve anything, because nothing would release it.
    if (bytes > SMALL_BODY_BYTES && !caller && !isKnown && !isForm(request) && !raw.destroyed) {
      const giveBack = take(requestAddress(request), Math.min(bytes, request.routeOptions.bodyLimit));
      const timer = setTimeout(() => raw.destroy(), STRANGER_MS);
      const end = () => {
        clearTimeout(timer);
        giveBack();
      };
      raw.once('end', end);
      reply.raw.once('close', end);
    }
    done();
  });
};

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction, RequestPayload } from 'fastify';
import type { z } from 'zod';

type Done = (error?: Error | null, payload?: RequestPayload) => void;

const isEmpty = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';

/**
 * As options of a route: a call whose body has a default may come without one. Some clients name a content type for
 * nothing, which is then not parsed.
 */
export const allowEmptyBody = (body: z.ZodType | undefined) =>
  body?.safeParse(undefined).success
    ? {
        preParsing: (request: FastifyRequest, _: FastifyReply, payload: RequestPayload, done: Done): void => {
          if (isEmpty(request)) delete request.headers['content-type'];
          done(null, payload);
        },
        preValidation: (request: FastifyRequest, _: FastifyReply, done: HookHandlerDoneFunction): void => {
          // Fastify would give the schema null instead of what the default is for.
          request.body ??= {};
          done();
        },
      }
    : {};

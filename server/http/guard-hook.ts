import type { FastifyRequest } from 'fastify';
import { DomainError } from '../domain-error.ts';
import type { Caller, Sender } from '../route/index.ts';
import { type AdminLine, withRole } from './admin-line.ts';
import { BODY_LIMIT_BYTES } from './body-limit.ts';
import { admit, admitSender, type Guard, type GuardDeps, type UserGuard } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    sender?: Sender;
  }
  interface FastifyContextConfig {
    /** Who may call: every endpoint of the route table says it. */
    guard?: Guard;
    /** Takes much work: refused while the program can't keep up. */
    expensive?: boolean;
    /** Takes a file, which may arrive slowly. */
    upload?: boolean;
  }
}

/** A line of the route table whose caller is checked before the room is asked. */
export type UserLine = AdminLine & { guard: UserGuard };

/** Without a length it may be of any. */
const isLarge = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > BODY_LIMIT_BYTES;

/**
 * The guard as a route's option. A sender may be named in the body, so it is read first; but a large body is read only
 * for a sender who is known from the header.
 */
export const guardHook = (line: UserLine, name: string, deps: GuardDeps, maxBytes = BODY_LIMIT_BYTES) => {
  const { guard } = line;
  return guard === 'sender'
    ? {
        ...(maxBytes > BODY_LIMIT_BYTES && {
          onRequest: async (request: FastifyRequest) => {
            if (!isLarge(request)) return;
            if (!request.headers.authorization)
              throw new DomainError('E_SECRET_IN_HEADER', { megabytes: BODY_LIMIT_BYTES / 1024 / 1024 });
            await admitSender(request, deps, '');
          },
        }),
        preValidation: async (request: FastifyRequest) => {
          request.sender = await admitSender(request, deps);
        },
      }
    : {
        onRequest: async (request: FastifyRequest) => {
          const caller = await admit(guard, request, deps);
          if (caller) request.caller = withRole(line, name, caller);
        },
      };
};

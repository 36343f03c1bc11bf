import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../ground/domain-error.ts';
import type { Caller, SendingAccount } from '../ground/route/index.ts';
import { type AdminLine, withRole } from './admin-line.ts';
import { announcedBytes, BODY_LIMIT_BYTES, SMALL_BODY_BYTES } from './defence/body-limit.ts';
import { admit, admitSender, bearsSender, type Guard, type GuardDeps, type UserGuard } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    sender?: SendingAccount;
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

/** A large body is read only for a sender who is known from the header; a smaller one may name its sender itself. */
const knowByHeader = async (request: FastifyRequest, deps: GuardDeps, maxBytes: number): Promise<void> => {
  if (maxBytes > BODY_LIMIT_BYTES && announcedBytes(request) > BODY_LIMIT_BYTES) {
    if (!request.headers.authorization)
      throw new DomainError('E_SECRET_IN_HEADER', { megabytes: BODY_LIMIT_BYTES / 1024 / 1024 });
    await admitSender(request, deps, '');
    request.isKnown = true;
  } else request.isKnown = await bearsSender(request, deps);
};

/** The guard as a route's option. A sender may be named in the body, so it is read first. */
export const guardHook = (line: UserLine, name: string, deps: GuardDeps, maxBytes = BODY_LIMIT_BYTES) => {
  const { guard } = line;
  return guard === 'sender'
    ? {
        onRequest: (request: FastifyRequest, _: FastifyReply, done: (error?: Error) => void): void => {
          if (announcedBytes(request) <= SMALL_BODY_BYTES) done();
          else knowByHeader(request, deps, maxBytes).then(() => done(), done);
        },
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

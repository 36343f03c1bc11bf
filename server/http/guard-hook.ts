import type { FastifyRequest } from 'fastify';
import type { Caller, Sender } from '../route/index.ts';
import { admit, admitSender, type Guard, type GuardDeps, type UserGuard } from './guards.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    sender?: Sender;
  }
  interface FastifyContextConfig {
    /** Who may call: every endpoint of the route table says it. */
    guard?: Guard;
  }
}

/** The guard as a route's option. A sender may be named in the body, so it is read first. */
export const guardHook = (guard: UserGuard, deps: GuardDeps) =>
  guard === 'sender'
    ? {
        preValidation: async (request: FastifyRequest) => {
          request.sender = await admitSender(request, deps);
        },
      }
    : {
        onRequest: async (request: FastifyRequest) => {
          const caller = await admit(guard, request, deps);
          if (caller) request.caller = caller;
        },
      };

import type { FastifyInstance } from 'fastify';
import type { Call } from '../../contract/call.ts';
import { type CallName, calls } from '../../contract/calls.ts';
import type { Caller, CallerRoutes, OpenRoutes, Sender, SenderRoutes } from '../route.ts';
import { CallInput } from './call-input.ts';
import { admit, admitSender, type Guard, type GuardDeps } from './guards.ts';

/** A room in the route table: open rooms take anyone's calls, the others only a caller's or a sender's. */
export type GuardedRoom =
  | { guard: 'public' | 'local'; routes: OpenRoutes }
  | { guard: 'customer' | 'admin'; routes: CallerRoutes }
  | { guard: 'sender'; routes: SenderRoutes };

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    sender?: Sender;
  }
}

const SECURITY: Record<Guard, Record<string, string[]>[]> = {
  public: [],
  local: [],
  customer: [{ session: [] }],
  admin: [{ session: [] }],
  sender: [{ secret: [] }, { session: [] }],
};

/** Calls whose path begins with a channel are about messages. */
const tagOf = (path: string): string => {
  const [, first = ''] = path.split('/');
  return first.startsWith(':') ? 'messages' : first;
};

/** The handlers' inputs are typed by call; here, where they are looked up by name, only their shape is known. */
type AnyHandler = (input: object) => unknown;

export const registerRoutes = (app: FastifyInstance, rooms: GuardedRoom[], deps: GuardDeps): void => {
  for (const { guard, routes } of rooms)
    for (const [name, handler] of Object.entries(routes) as [CallName, AnyHandler][]) {
      const [method = '', path = ''] = name.split(' ');
      const call: Call = calls[name];
      app.route({
        method,
        url: `/api${path}`,
        schema: {
          summary: call.summary,
          tags: [tagOf(path)],
          security: SECURITY[guard],
          ...(call.params && { params: call.params }),
          ...(call.query && { querystring: call.query }),
          ...(call.body && { body: call.body }),
          ...(call.headers && { headers: call.headers }),
          response: { 200: call.reply },
        },
        ...(guard === 'sender'
          ? {
              preValidation: async (request) => {
                request.sender = await admitSender(request, deps);
              },
            }
          : {
              onRequest: async (request) => {
                const caller = await admit(guard, request, deps);
                if (caller) request.caller = caller;
              },
            }),
        handler: (request, reply) => {
          reply.header('cache-control', 'no-store');
          return handler(new CallInput(request, reply));
        },
      });
    }
};

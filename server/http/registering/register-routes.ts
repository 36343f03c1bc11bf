import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CallName, calls } from '../../../contract/calls.ts';
import type { AdminRole } from '../../../contract/customer/admin-roles.ts';
import type { Call } from '../../../contract/ground/call.ts';
import { openQuota, type Quota } from '../../ground/limits/index.ts';
import type {
  CallerFiles,
  CallerRoutes,
  CallerUploads,
  FileAnswer,
  FileRoute,
  LinkedPages,
  MountedPages,
  OpenRoutes,
  SenderFiles,
  SenderRoutes,
  SenderUploads,
  Sockets,
  Webhooks,
} from '../../ground/route/index.ts';
import type { AdminLine } from '../admin-line.ts';
import { auditReads, auditWrites } from '../audit-calls.ts';
import { guardHook, type UserLine } from '../guard-hook.ts';
import type { GuardDeps } from '../guards.ts';
import { answerFile } from './answer-file.ts';
import { CallInput } from './call-input.ts';
import { allowEmptyBody } from './empty-body.ts';
import { registerLinkedPages } from './register-linked-pages.ts';
import { registerMountedPages } from './register-mounted-pages.ts';
import { registerSockets } from './register-sockets.ts';
import { registerUploads } from './register-uploads.ts';
import { registerWebhooks } from './register-webhooks.ts';
import { describe, splitName } from './route-name.ts';

/**
 * A line of the route table: what a room answers, and to whom. Public rooms accept anyone's calls, the others only
 * those of a caller or a sender; providers are identified by their signature.
 */
export type GuardedRoom =
  | { guard: 'public' | 'mailbox'; routes?: OpenRoutes; pages?: LinkedPages }
  | (Omit<AdminLine, 'guard'> & {
      guard: 'customer' | 'admin';
      routes?: CallerRoutes;
      files?: CallerFiles;
      uploads?: CallerUploads;
    })
  | { guard: 'sender'; routes?: SenderRoutes; files?: SenderFiles; uploads?: SenderUploads }
  | { guard: 'signed'; webhooks?: Webhooks; sockets?: Sockets }
  | { guard: 'ticket'; roles: readonly AdminRole[]; mounted: MountedPages };

/** The handlers' inputs are typed by call; here they are looked up by name, so only their shape is known. */
type AnyHandler = (input: object) => unknown;

const registerCalls = (app: FastifyInstance, line: UserLine, routes: object, deps: GuardDeps): void => {
  const { guard } = line;
  for (const [name, handler] of Object.entries(routes) as [CallName, AnyHandler][]) {
    const { method, path } = splitName(name);
    const call: Call = calls[name];
    const audited = auditWrites(line, name, deps);
    app.route({
      method,
      url: `/api${path}`,
      config: { guard },
      schema: {
        ...describe({ guard, path, summary: call.summary }),
        ...(call.params && { params: call.params }),
        ...(call.query && { querystring: call.query }),
        ...(call.body && { body: call.body }),
        ...(call.headers && { headers: call.headers }),
        response: { 200: call.reply },
      },
      ...(call.maxBytes !== undefined && { bodyLimit: call.maxBytes }),
      ...allowEmptyBody(call.body),
      ...guardHook(line, name, deps, call.maxBytes),
      ...auditReads(line, name, deps),
      handler: (request, reply) => {
        reply.header('cache-control', 'no-store');
        return audited(request, () => handler(new CallInput(request, reply)));
      },
    });
  }
};

/** Files that are made as they are read: each has a page in memory for as long as its reader takes. */
const STREAMS = { total: 150, perKey: 4 };

/** The account's place for a file that is made as it is read, until its connection is done. */
const takeStream = (
  places: Quota,
  { caller, sender }: FastifyRequest,
  { raw }: FastifyReply,
  { body, bytes }: FileAnswer,
): void => {
  if (!(body instanceof Readable) || bytes !== undefined) return;
  try {
    raw.once('close', places(caller?.accountId ?? sender?.accountId ?? ''));
  } catch (error) {
    body.destroy();
    throw error;
  }
};

const registerFiles = (
  app: FastifyInstance,
  line: UserLine,
  files: Record<string, FileRoute<never>>,
  deps: GuardDeps & { streams: Quota },
): void => {
  const { guard } = line;
  for (const [name, file] of Object.entries(files)) {
    const { method, path } = splitName(name);
    app.route({
      method,
      url: `/api${path}`,
      config: { guard, expensive: true },
      schema: {
        ...describe({ guard, path, summary: file.summary }),
        params: file.params,
        ...(file.query && { querystring: file.query }),
      },
      ...guardHook(line, name, deps),
      ...auditReads(line, name, deps),
      handler: async (request, reply) => {
        const answer = await file.answer(new CallInput(request, reply) as never);
        takeStream(deps.streams, request, reply, answer);
        return answerFile(request, reply, answer);
      },
    });
  }
};

/** Gives the app every endpoint of the route table, behind its guard. */
export const registerRoutes = (app: FastifyInstance, rooms: GuardedRoom[], deps: GuardDeps): void => {
  const streams = openQuota(STREAMS);
  for (const room of rooms) {
    if (room.guard === 'signed') {
      if (room.webhooks) registerWebhooks(app, room.webhooks);
      if (room.sockets) registerSockets(app, room.sockets);
      continue;
    }
    if (room.guard === 'ticket') {
      registerMountedPages(app, room, deps);
      continue;
    }
    registerCalls(app, room, room.routes ?? {}, deps);
    if ('files' in room) registerFiles(app, room, room.files ?? {}, { ...deps, streams });
    if ('uploads' in room) registerUploads(app, room, room.uploads ?? {}, deps);
    if ('pages' in room) registerLinkedPages(app, room.guard, room.pages ?? {}, deps);
  }
};

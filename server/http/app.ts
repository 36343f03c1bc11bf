import { randomUUID } from 'node:crypto';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { CallLog } from '../customer/integration/index.ts';
import type { LoopDelay } from '../ground/limits/index.ts';
import type { Log } from '../ground/log/index.ts';
import { answerWrongMethods } from './answer-wrong-methods.ts';
import { compressAnswers } from './compress.ts';
import { BODY_LIMIT_BYTES } from './defence/body-limit.ts';
import { endSlowRequests, SLOW_REQUESTS } from './defence/end-slow-requests.ts';
import { refuseWhileBusy } from './defence/refuse-while-busy.ts';
import { reserveBodies } from './defence/reserve-bodies.ts';
import { securityHeaders } from './defence/security-headers.ts';
import { takeTurns } from './defence/take-turns.ts';
import { replyWithError } from './error-reply.ts';
import type { GuardDeps } from './guards.ts';
import { registerOpenApi } from './openapi.ts';
import { type OperationsDeps, registerOperations } from './operations.ts';
import { type PagesOptions, registerPages } from './pages.ts';
import { recordCalls } from './record-calls.ts';
import { type GuardedRoom, registerRoutes } from './registering/register-routes.ts';
import { wantsSocket } from './registering/register-sockets.ts';

const SWEEP_MS = 100;

interface AppOptions extends OperationsDeps {
  log: Log;
  trustProxy: string[];
  /** Where people reach this program. */
  publicUrl: string;
}

/** What every process answers: the operators' endpoints. */
export const buildApp = async ({
  log,
  trustProxy,
  publicUrl,
  ...operations
}: AppOptions): Promise<FastifyInstance> => {
  const protection = securityHeaders({
    hsts: publicUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    crossOriginEmbedderPolicy: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
  });
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: 'idle',
    // An address that can't be read has no route, and so none of the hooks below.
    frameworkErrors: (error, request, reply) =>
      void replyWithError(error, request, reply.headers(protection).header('x-request-id', request.id)),
    ...SLOW_REQUESTS,
    http: { ...SLOW_REQUESTS.http, shouldUpgradeCallback: wantsSocket },
  });
  // What is sent as text is not JSON: it would be told of its first field instead of its type.
  app.removeContentTypeParser('text/plain');
  takeTurns(app);
  endSlowRequests(app);
  reserveBodies(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(replyWithError);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(protection).header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The route's pattern, never the actual address: links from mails contain tokens.
    const route = request.routeOptions.url ?? 'page';
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        account: request.caller?.accountId ?? request.sender?.accountId,
      },
      'request',
    );
    done();
  });
  // A connection that is in use when the program stops becomes idle after its answer, and the stop would wait as long
  // as idle connections are kept.
  app.addHook('preClose', (done) => {
    const sweep = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS);
    app.server.once('close', () => clearInterval(sweep));
    sweep.unref();
    done();
  });
  registerOperations(app, operations);
  return app;
};

interface WebOptions extends GuardDeps, PagesOptions {
  audit: NonNullable<GuardDeps['audit']>;
  roleOf: NonNullable<GuardDeps['roleOf']>;
  rooms: GuardedRoom[];
  version: string;
  publicUrl: string;
  /** Stores calls made with a secret. */
  callLog: Pick<CallLog, 'add'>;
  loop: Pick<LoopDelay, 'isBusy'>;
}

/** The API's own description: no room's, and open to all. */
const DESCRIPTION = /^\/api\/(openapi\.json|docs(\/.*)?)$/;

/** An endpoint below /api that is not in the route table would have no guard: the program does not start with one. */
const refuseUnguarded = (app: FastifyInstance): void => {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (/^\/api(\/|$)/.test(url) && !config?.guard && !DESCRIPTION.test(url))
      throw new Error(`${method} ${url} is not in the route table`);
  });
};

/** What a process of the web role also answers. */
export const addWeb = async (
  app: FastifyInstance,
  { rooms, pagesFolder, paymentsHosts, version, publicUrl, callLog, loop, ...guards }: WebOptions,
): Promise<void> => {
  refuseUnguarded(app);
  answerWrongMethods(app);
  refuseWhileBusy(app, loop);
  recordCalls(app, callLog);
  compressAnswers(app);
  await registerOpenApi(app, { version, publicUrl });
  registerRoutes(app, rooms, guards);
  await registerPages(app, { pagesFolder, paymentsHosts });
};

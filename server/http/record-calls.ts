import type { FastifyInstance } from 'fastify';
import type { CallLog } from '../customer/integration/index.ts';
import type { SendingAccount } from '../ground/route/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if a secret, not a session, identified the caller. */
    bySecret?: SendingAccount;
    /** The answer of such a call, if it is JSON and not too long to store. */
    answered?: string;
  }
}

/** Characters. */
const MOST_KEPT = 4_000;
const LONGEST_PATH = 200;

/** Stores calls made with a secret and their answers, for the Integration page. Register it before the routes. */
export const recordCalls = (app: FastifyInstance, callLog: Pick<CallLog, 'add'>): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (
      request.bySecret &&
      typeof payload === 'string' &&
      payload.length <= MOST_KEPT &&
      String(reply.getHeader('content-type')).startsWith('application/json')
    )
      request.answered = payload;
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.bySecret)
      callLog.add({
        ...request.bySecret,
        atMs: Date.now() - reply.elapsedTime,
        method: request.method,
        path: (request.url.split('?', 1)[0] ?? '').slice(0, LONGEST_PATH),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        requestId: request.id,
        answer: request.answered,
      });
    done();
  });
};

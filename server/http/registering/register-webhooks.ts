import type { FastifyInstance } from 'fastify';
import type { WebhookCall, Webhooks } from '../../ground/route/index.ts';
import { rawBody, withRawBodies } from './raw-bodies.ts';
import { describe, splitName } from './route-name.ts';

/** Where providers call us. These calls have no limit: the room identifies the caller by its signature. */
export const registerWebhooks = (app: FastifyInstance, webhooks: Webhooks): void =>
  withRawBodies(app, (scope) => {
    for (const [name, { summary, maxBytes, answer }] of Object.entries(webhooks)) {
      const { method, path } = splitName(name);
      scope.route({
        method,
        url: `/api${path}`,
        config: { guard: 'signed' },
        ...(maxBytes !== undefined && { bodyLimit: maxBytes }),
        // Without this a HEAD request would count as GET.
        exposeHeadRoute: false,
        schema: summary === undefined ? { hide: true } : describe({ guard: 'signed', path, summary }),
        handler: async (request, reply) => {
          const { status, type, body } = await answer({
            method: request.method as WebhookCall['method'],
            url: request.url,
            query: new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? ''),
            headers: request.headers,
            body: rawBody(request),
            log: request.log,
          });
          return reply
            .code(status)
            .header('cache-control', 'no-store')
            .type(type ?? 'text/plain; charset=utf-8')
            .send(body ?? '');
        },
      });
    }
  });

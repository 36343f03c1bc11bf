import type { FastifyInstance } from 'fastify';
import type { ProviderWebhook, Receiver } from '../delivery/index.ts';

/** Providers gather what they tell; beyond this nobody does. */
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * Where the providers of ways out call us: receipts, and what people write. Signatures are made over the bytes as
 * they were sent, so here bodies are not parsed; within this plugin only.
 */
export const registerProviderWebhooks = async (
  app: FastifyInstance,
  { receiver, webhooks }: { receiver: Receiver; webhooks: ProviderWebhook[] },
): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    for (const { path, methods, handle } of webhooks)
      scope.route({
        method: [...methods],
        url: `/api/providers/${path}`,
        bodyLimit: BODY_LIMIT_BYTES,
        // Without this a HEAD request would count as GET.
        exposeHeadRoute: false,
        schema: { hide: true },
        handler: async (request, reply) => {
          const answer = await handle(
            {
              method: request.method as 'GET' | 'POST',
              url: request.url,
              query: new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1] ?? ''),
              headers: request.headers,
              body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
            },
            receiver,
          );
          if (answer.status >= 400)
            request.log.warn({ provider: path, status: answer.status }, 'a call of a provider was refused');
          return reply
            .code(answer.status)
            .header('cache-control', 'no-store')
            .type(answer.type ?? 'text/plain; charset=utf-8')
            .send(answer.body ?? '');
        },
      });
  });
};

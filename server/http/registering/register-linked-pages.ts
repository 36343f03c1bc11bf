import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { LinkedPageAnswer, LinkedPages } from '../../ground/route/index.ts';
import { languageOf } from '../../ground/translations/index.ts';
import { guardHook } from '../guard-hook.ts';
import type { GuardDeps, UserGuard } from '../guards.ts';
import { rawBody, withRawBodies } from './raw-bodies.ts';
import { splitName } from './route-name.ts';

/** No script at all, and one style element. */
const policy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const answerPage = (reply: FastifyReply, answer: LinkedPageAnswer): FastifyReply => {
  reply.header('cache-control', 'no-store');
  if ('text' in answer) return reply.type('text/plain; charset=utf-8').send(answer.text);
  const nonce = randomBytes(16).toString('base64');
  return reply
    .code(answer.missing ? 404 : 200)
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(answer.html(nonce));
};

/** Pages for people who came by a link of ours and have no account. */
export const registerLinkedPages = (
  app: FastifyInstance,
  guard: UserGuard,
  pages: LinkedPages,
  deps: GuardDeps,
): void =>
  withRawBodies(app, (scope) => {
    for (const [name, { maxBytes, answer }] of Object.entries(pages)) {
      const { method, path } = splitName(name);
      scope.route({
        method,
        url: path,
        config: { guard },
        bodyLimit: maxBytes,
        schema: { hide: true },
        ...guardHook({ guard }, name, deps),
        handler: async (request, reply) => {
          const { '*': rest = '' } = request.params as { '*'?: string };
          const asked = {
            rest,
            query: request.query as Record<string, unknown>,
            body: rawBody(request).toString(),
            language: languageOf(request.headers['accept-language']),
          };
          return answerPage(reply, await answer(asked));
        },
      });
    }
  });

import type { FastifyInstance } from 'fastify';

/**
 * Routes that get the bytes of a body as they were sent, of any content type: signatures cover exactly these, and mail
 * programs post forms of several kinds. Within this plugin only.
 */
export const withRawBodies = (app: FastifyInstance, register: (scope: FastifyInstance) => void): void => {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    register(scope);
  });
};

export const rawBody = ({ body }: { body: unknown }): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0);

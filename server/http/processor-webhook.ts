import type { FastifyInstance } from 'fastify';
import { DomainError } from '../domain-error.ts';
import { receiveProcessorEvent, type WalletDeps } from '../wallet/index.ts';

/**
 * Where the card provider tells us by itself what became of a charge. Its signature is made over the bytes
 * as they were sent, so here the body is not parsed; within this plugin only.
 */
export const registerProcessorWebhook = async (app: FastifyInstance, wallet: WalletDeps): Promise<void> => {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    const schema = {
      tags: ['webhooks'],
      summary: 'Where the card provider reports what became of a charge, signed in its own way',
    };
    scope.post(`/api/webhooks/${wallet.processor.name}`, { schema }, async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const result = await receiveProcessorEvent(wallet, body, request.headers);
      if (result === 'bad-signature') {
        request.log.warn({}, 'a webhook with a wrong signature');
        throw new DomainError('E_INVALID_REQUEST', { reason: 'signature' });
      }
      return { received: true };
    });
  });
};

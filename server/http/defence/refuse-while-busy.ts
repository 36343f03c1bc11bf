import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../ground/domain-error.ts';
import type { LoopDelay } from '../../ground/limits/index.ts';

/** While the program can't keep up, files and uploads have to come again: the calls of everybody else go first. */
export const refuseWhileBusy = (app: FastifyInstance, loop: Pick<LoopDelay, 'isBusy'>): void => {
  app.addHook('onRequest', (request, _, done) => {
    const refused = request.routeOptions.config.expensive && loop.isBusy();
    done(refused ? new DomainError('E_UNAVAILABLE') : undefined);
  });
};

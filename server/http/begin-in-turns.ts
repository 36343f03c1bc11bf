import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Begins at once, however many others wait for their turn. */
    atOnce?: boolean;
  }
}

/** In one turn of the event loop, which everything else waits for. */
const MOST_IN_A_TURN = 16;

/**
 * Of requests that come in one moment a few begin in each turn of the event loop: what else goes on, and the health
 * check above all, does not wait until hundreds of them have begun.
 */
export const beginInTurns = (app: FastifyInstance, mostInATurn = MOST_IN_A_TURN): void => {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let isNextTurnComing = false;
  const nextTurn = (): void => {
    isNextTurnComing = false;
    const chosen = waiting.splice(0, mostInATurn);
    begun = chosen.length;
    if (begun > 0) comeAgain();
    for (const begin of chosen) begin();
  };
  const comeAgain = (): void => {
    if (isNextTurnComing) return;
    isNextTurnComing = true;
    setImmediate(nextTurn);
  };
  app.addHook('onRequest', ({ routeOptions }, _, done) => {
    if (routeOptions.config.atOnce) return done();
    comeAgain();
    if (begun >= mostInATurn) {
      waiting.push(done);
      return;
    }
    begun += 1;
    done();
  });
};

import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Begins and is answered at once, however many others wait for their turn. */
    atOnce?: boolean;
  }
}

/** In one turn of the event loop, which everything else waits for. */
const MOST_IN_A_TURN = { steps: 16, ms: 20 };

/**
 * Of requests that come in one moment a few begin in each turn of the event loop, and of answers that are ready in one
 * moment a few are written: what else goes on, and the health check above all, does not wait for hundreds of them.
 */
export const takeTurns = (app: FastifyInstance, most = MOST_IN_A_TURN): void => {
  const waiting: (() => void)[] = [];
  let steps = 0;
  let begun = 0;
  let isNextTurnComing = false;
  const isRoom = (): boolean => steps < most.steps && performance.now() - begun < most.ms;
  const comeAgain = (): void => {
    if (isNextTurnComing) return;
    isNextTurnComing = true;
    steps = 0;
    begun = performance.now();
    setImmediate(nextTurn);
  };
  const nextTurn = (): void => {
    isNextTurnComing = false;
    if (waiting.length > 0) comeAgain();
    while (waiting.length > 0 && isRoom()) {
      steps += 1;
      waiting.shift()?.();
    }
  };
  const step = (work: () => void): void => {
    comeAgain();
    if (waiting.length > 0 || !isRoom()) {
      waiting.push(work);
      return;
    }
    steps += 1;
    work();
  };
  app.addHook('onRequest', ({ routeOptions }, _, done) => {
    if (routeOptions.config.atOnce) done();
    else step(done);
  });
  app.addHook('preSerialization', ({ routeOptions }, _, payload, done) => {
    if (routeOptions.config.atOnce) done(null, payload);
    else step(() => done(null, payload));
  });
};

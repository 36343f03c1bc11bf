import fastify, { type FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { takeTurns } from './take-turns.ts';

/** Asks for ten calls and the health in one moment, and says in which turn of the event loop each was at this point. */
const turnsOf = async (
  most: { steps: number; ms: number },
  watch: (app: FastifyInstance, note: (url: string) => void) => void,
) => {
  const app = fastify();
  takeTurns(app, most);
  let turn = 0;
  let isOver = false;
  const countTurns = (): void => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  const seen: { url: string; turn: number }[] = [];
  watch(app, (url) => seen.push({ url, turn }));
  app.get('/health', { config: { atOnce: true } }, () => ({}));
  app.get('/call/:number', () => ({}));
  await app.ready();
  countTurns();
  const asked = [...Array(10).keys(), 'health'].map((at) =>
    app.inject(at === 'health' ? '/health' : `/call/${at}`),
  );
  const answers = await Promise.all(asked);
  isOver = true;
  await app.close();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(11).fill(200));
  const calls = seen.filter(({ url }) => url !== '/health');
  expect(calls.map(({ url }) => url)).toEqual([...Array(10).keys()].map((at) => `/call/${at}`));
  // The first call may have had to wait for a turn already.
  expect(seen.find(({ url }) => url === '/health')?.turn).toBeLessThanOrEqual(Number(calls[0]?.turn));
  return [...Map.groupBy(calls, (one) => one.turn).values()].map(({ length }) => length);
};

test('of many requests at once a few begin in each turn, in their order, and a health check at once', async () => {
  const turns = await turnsOf({ steps: 3, ms: 10_000 }, (app, note) =>
    app.addHook('onRequest', ({ url }, _, done) => {
      note(url);
      done();
    }),
  );
  expect(turns.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...turns)).toBeLessThanOrEqual(3);
});

test('answers that take long to write are written one in a turn', async () => {
  const turns = await turnsOf({ steps: 100, ms: 1 }, (app, note) =>
    app.addHook('onSend', ({ url }, _, payload, done) => {
      note(url);
      if (url !== '/health') for (const until = performance.now() + 5; performance.now() < until; );
      done(null, payload);
    }),
  );
  expect(turns).toEqual(Array(10).fill(1));
});

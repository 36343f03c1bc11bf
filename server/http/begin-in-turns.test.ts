import fastify from 'fastify';
import { expect, test } from 'vitest';
import { beginInTurns } from './begin-in-turns.ts';

test('of many requests at once a few begin in each turn, in their order, and a health check at once', async () => {
  const app = fastify();
  beginInTurns(app, 3);
  let turn = 0;
  let isOver = false;
  const countTurns = (): void => {
    turn += 1;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  const begun: { what: string; turn: number }[] = [];
  app.get('/health', { config: { atOnce: true } }, () => {
    begun.push({ what: 'health', turn });
    return {};
  });
  app.get('/call/:number', ({ params }) => {
    begun.push({ what: (params as { number: string }).number, turn });
    return {};
  });
  await app.ready();
  const asked = [...Array(10).keys(), 'health'].map((at) =>
    app.inject(at === 'health' ? '/health' : `/call/${at}`),
  );
  const answers = await Promise.all(asked);
  isOver = true;
  await app.close();
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(11).fill(200));
  const calls = begun.filter(({ what }) => what !== 'health');
  expect(calls.map(({ what }) => what)).toEqual([...Array(10).keys()].map(String));
  const inTurns = Map.groupBy(calls, (one) => one.turn);
  expect([...inTurns.values()].map(({ length }) => length)).toEqual([3, 3, 3, 1]);
  expect(begun.find(({ what }) => what === 'health')?.turn).toBe(calls[0]?.turn);
});

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plantTree } from './planted-tree.ts';
import { checkRouteTable } from './route-table.ts';

test('a house whose endpoints are in the route table passes', async () => {
  const root = plantTree({
    'server/http/registering/register-routes.ts':
      "import type { FastifyInstance } from 'fastify';\nexport const register = (app: FastifyInstance) => app.route({ url: '/api/x' });",
    'server/http/operations.ts': "export const operations = (app) => app.get('/healthz', () => 'ok');",
    'server/http/openapi.ts': "export const openapi = (app) => app.get('/api/openapi.json', () => ({}));",
    'server/customer/wallet/routes.ts':
      "export const walletRoutes = () => ({ 'GET /cards': () => ({ cards: [] }) });",
  });
  expect((await checkRouteTable(root)).faults).toEqual([]);
});

test('this house passes', async () => {
  expect((await checkRouteTable(join(import.meta.dirname, '..'))).faults).toEqual([]);
});

test.each([
  [
    'a room',
    'server/customer/wallet/x.ts',
    "export const add = (app) => app.get('/api/loose', () => 'open');",
  ],
  ['main.ts', 'server/main.ts', "app.post('/api/loose', { schema }, answer);"],
  ['the start', 'server/start/web.ts', 'app.delete(`/api/loose`, options, handler);'],
  ['a path of its own', 'server/customer/wallet/x.ts', 'app.put(PATH, { schema }, async () => reply);'],
  ['a verb in brackets', 'server/customer/wallet/x.ts', "app['patch']('/api/loose', () => 'open');"],
  [
    'a route object',
    'server/customer/wallet/x.ts',
    "app.route({ method: 'GET', url: '/api/loose', handler });",
  ],
  ['a plugin', 'server/customer/wallet/x.ts', 'app.register(async (scope) => scope);'],
  ['another file of http', 'server/http/x.ts', "export const add = (app) => app.all('/api/loose', answer);"],
  ['the operations', 'server/http/operations.ts', "app.get('/api/loose', () => 'open');"],
  ['the description', 'server/http/openapi.ts', "app.get('/api/loose', () => 'open');"],
])('an endpoint beside the table is refused: %s', async (_, path, text) => {
  const { faults } = await checkRouteTable(plantTree({ [path]: text }));
  expect(faults).toEqual([expect.stringMatching(new RegExp(`^${path}:1 .*endpoint-in-route-table`))]);
});

test.each([
  "import type { FastifyRequest } from 'fastify';",
  "import multipart from '@fastify/multipart';",
  "export { validatorCompiler } from 'fastify-type-provider-zod';",
])('a room may not know Fastify: %s', async (text) => {
  const { faults } = await checkRouteTable(plantTree({ 'server/customer/wallet/x.ts': text }));
  expect(faults).toEqual([expect.stringContaining('fastify-in-http')]);
});

test('maps, lists and clients are no endpoints', async () => {
  const text =
    "export const x = [new Map().get('/a'), new Set().delete('/b'), client.post('me/messages', body), Promise.all([])];";
  expect((await checkRouteTable(plantTree({ 'server/customer/wallet/x.ts': text }))).faults).toEqual([]);
});

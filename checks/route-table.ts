import type { ESTree } from 'vite';
import type { Check } from './outcome.ts';
import { isTest, readSources, type Source, stringOf, visit } from './sources.ts';

/** What gives the app the endpoints of the route table, each with its guard. */
const TABLE = /^server\/http\/registering\/(register-[\w-]+|raw-bodies)\.ts$/;
/** What answers outside of /api, on this or another port, and what describes it. */
const BESIDE = [
  'server/http/operations.ts',
  'server/http/pages.ts',
  'server/http/openapi.ts',
  'server/http/query-service.ts',
];
const DESCRIPTION = ['/api/openapi.json', '/api/docs'];

const VERBS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all'];
/** What composes the app, besides http itself. */
const START = 'server/start/';
const FRAMEWORK = /^(@fastify\/|fastify$|fastify-)/;

const isFunction = (node: ESTree.Node | undefined): boolean =>
  node?.type === 'ArrowFunctionExpression' || node?.type === 'FunctionExpression';

/** As far as it is written out. */
const pathOf = (node: ESTree.Node | undefined): string | undefined =>
  node?.type === 'TemplateLiteral' ? (node.quasis[0]?.value.cooked ?? undefined) : stringOf(node);

const methodOf = ({ callee }: ESTree.CallExpression): string | undefined => {
  if (callee.type !== 'MemberExpression') return undefined;
  return callee.property.type === 'Identifier' && !callee.computed
    ? callee.property.name
    : stringOf(callee.property);
};

/** A call that looks like `app.get('/path', …)`, `app.route(…)` or `app.register(async (scope) => …)`. */
const addsEndpoint = (call: ESTree.CallExpression): boolean => {
  const method = methodOf(call) ?? '';
  const [first, second] = call.arguments;
  if (method === 'route') return true;
  if (method === 'register') return isFunction(first);
  if (!VERBS.includes(method) || !second) return false;
  return pathOf(first)?.startsWith('/') === true || isFunction(call.arguments.at(-1));
};

const endpointsOf = (source: Source): { offset: number; path: string | undefined }[] => {
  const found: { offset: number; path: string | undefined }[] = [];
  visit(source, {
    CallExpression: (node) => {
      if (addsEndpoint(node)) found.push({ offset: node.start, path: pathOf(node.arguments[0]) });
    },
  });
  return found;
};

const frameworkImports = (source: Source): number[] => {
  const found: number[] = [];
  const look = (node: { source: { value: string } | null; start: number }) => {
    if (FRAMEWORK.test(node.source?.value ?? '')) found.push(node.start);
  };
  visit(source, { ImportDeclaration: look, ExportNamedDeclaration: look, ExportAllDeclaration: look });
  return found;
};

const faultsOf = (source: Source): string[] => {
  const { path, lineOf } = source;
  if (TABLE.test(path)) return [];
  const loose = endpointsOf(source).filter(
    (endpoint) =>
      !BESIDE.includes(path) ||
      (endpoint.path?.startsWith('/api') === true && !DESCRIPTION.includes(endpoint.path)),
  );
  const framework = path.startsWith('server/http/') || path.startsWith(START) ? [] : frameworkImports(source);
  return [
    ...loose.map(
      ({ offset, path: of }) =>
        `${path}:${lineOf(offset)} answers ${of ?? 'an endpoint'}: endpoint-in-route-table: offer it in the room's routes.ts and list it in server/http/route-table.ts`,
    ),
    ...framework.map(
      (offset) =>
        `${path}:${lineOf(offset)} imports Fastify: fastify-in-http: rooms offer routes by the types of server/ground/route/`,
    ),
  ];
};

/** Every endpoint below /api is in the one route table, so that access is seen in one place. */
export const checkRouteTable: Check = async (root) => ({
  faults: readSources(root, ['server'])
    .filter(({ path }) => !isTest(path))
    .flatMap(faultsOf),
});

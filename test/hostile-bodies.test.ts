import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi, mailedToken } from './api.ts';
import { emptyDatabase } from './database.ts';
import { type Program, startProgram } from './program.ts';
import { type Endpoint, listEndpoints } from './webhooks/endpoints.ts';

const MEGABYTE = 1024 * 1024;
const DEPTH = 50_000;

let program: Program;
let token: string;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await emptyDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-bodies-'));
  undo.push(() => rm(folder, { recursive: true, force: true }), database.drop);
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    LIMITS_FACTOR: '1000',
  };
  program = await startProgram({ dataDir: join(folder, 'data'), env });
  undo.push(program.stop);
  const person = { email: 'bodies@example.com', password: 'correct horse battery' };
  await callApi(program.url, 'POST /account/register', { body: person });
  const activation = { token: await mailedToken(program.url, person.email) };
  ({ token } = (await callApi(program.url, 'POST /activate', { body: activation })).reply);
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const JSON_TYPE = 'application/json';
/** Each with its type, which is '' for none. */
const BODIES: Record<string, [type: string, body: string | undefined]> = {
  nothing: ['', undefined],
  'nothing, as JSON': [JSON_TYPE, ''],
  'an empty object': [JSON_TYPE, '{}'],
  'a list': [JSON_TYPE, '[{}]'],
  'a text': [JSON_TYPE, '"text"'],
  null: [JSON_TYPE, 'null'],
  'half of an object': [JSON_TYPE, '{"email":'],
  'a prototype': [JSON_TYPE, '{"__proto__":{"admin":true},"constructor":{"prototype":1}}'],
  'secrets that are none': [JSON_TYPE, '{"secret":{"$ne":null},"token":[1],"email":{},"phone":[]}'],
  'text/plain': ['text/plain', '{"email":"a@example.com"}'],
  XML: ['application/xml', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
  'no type': ['', '{"email":"a@example.com"}'],
  'a type that is none': ['json', '{}'],
  'a form without a boundary': ['multipart/form-data', 'x'],
  'a form that ends early': [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="a"',
  ],
  'an encoding that is none': [`${JSON_TYPE}; charset=utf-99`, '{}'],
  'more than a megabyte': [JSON_TYPE, JSON.stringify({ email: 'x'.repeat(MEGABYTE) })],
  'lists in lists': [JSON_TYPE, '['.repeat(DEPTH) + ']'.repeat(DEPTH)],
  'objects in objects': [JSON_TYPE, `${'{"secret":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`],
};

const addressOf = ({ path }: Endpoint): string =>
  path.replace(':channel', 'sms').replace(/:\w+/g, '00000000-0000-4000-8000-000000000000').replace('*', 'x');

/** Those that answer with what a provider or a person reads. */
const ofPrograms = ({ kind }: Endpoint): boolean => kind !== 'webhooks' && kind !== 'pages';

test('no body breaks a call, and each that is refused is told why and by which name to ask', async () => {
  const endpoints = listEndpoints().filter(({ method }) => method === 'POST' || method === 'PUT');
  expect(endpoints.length).toBeGreaterThan(80);
  const faults: string[] = [];
  const ask = async (endpoint: Endpoint, name: string, authorization?: string) => {
    const [type, body] = BODIES[name] ?? ['', undefined];
    const headers = { ...(type && { 'content-type': type }), ...(authorization && { authorization }) };
    const reply = await fetch(`${program.url}${addressOf(endpoint)}`, {
      method: endpoint.method,
      headers,
      // A text would get a type of its own.
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
    const text = await reply.text();
    const told = reply.headers.get('content-type')?.startsWith(JSON_TYPE) ? JSON.parse(text) : {};
    const isTold =
      reply.ok ||
      (/^E_[A-Z_]+$/.test(told.code) && told.message && told.requestId === reply.headers.get('x-request-id'));
    if (reply.status >= 500 || (ofPrograms(endpoint) && !isTold))
      faults.push(`${endpoint.name}, ${name}: ${reply.status} ${text.slice(0, 200)}`);
  };
  for (const endpoint of endpoints) {
    const names = Object.keys(BODIES);
    await Promise.all(names.map((name) => ask(endpoint, name)));
    // Beyond the guard. Who signs out has no session any more.
    if (/customer|sender/.test(endpoint.guard) && endpoint.name !== 'POST /account/logout')
      await Promise.all(names.map((name) => ask(endpoint, name, token)));
  }
  expect(faults).toEqual([]);
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, test } from 'vitest';
import { newOutgoing } from '../../../test/suites/carrier-suite.ts';
import { composeCall } from './compose-call.ts';
import { readTemplates } from './index.ts';
import { readAnswer } from './read-answer.ts';
import { readPath } from './read-where.ts';

const folder = mkdtempSync(join(tmpdir(), 'posthorn-templates-'));
afterAll(() => rmSync(folder, { recursive: true }));

const LEAST = { name: 'acme', send: { url: 'https://a.example/send' }, answer: {} };
let files = 0;
const write = (content: unknown): string => {
  files += 1;
  const path = join(folder, `t${files}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const read = (content: unknown, env: Record<string, string> = {}) =>
  readTemplates({ path: write(content), variable: (name) => env[name] });
const one = (content: object, env?: Record<string, string>) => {
  const [template] = read({ ...LEAST, ...content }, env);
  if (!template) throw new Error('no template');
  return template;
};

test.each<[what: string, content: unknown, fault: RegExp]>([
  ['no JSON', '{ "name": ', /^t\d+\.json: .*JSON/],
  ['a missing address', { ...LEAST, send: {} }, /^t\d+\.json: send\.url: /],
  ['another protocol', { ...LEAST, send: { url: 'ftp://a.example' } }, /send\.url: must begin with http/],
  [
    'a placeholder in the host',
    { ...LEAST, send: { url: 'https://{{to}}.example/' } },
    /send\.url: must begin/,
  ],
  ['an unknown key', { ...LEAST, sendd: 1 }, /Unrecognized key: "sendd"/],
  [
    'an unknown placeholder',
    {
      ...LEAST,
      send: { url: 'https://a.example', body: { kind: 'json', content: { a: [{ b: '{{too}}' }] } } },
    },
    /send\.body\.content\.a\.0\.b: \{\{too\}\} is not known here; known are \{\{to\}\}/,
  ],
  [
    'a text in a header',
    { ...LEAST, send: { url: 'https://a.example', headers: { x: '{{text}}' } } },
    /send\.headers\.x: \{\{text\}\} is not known here/,
  ],
  [
    'a header of two lines',
    { ...LEAST, send: { url: 'https://a.example', headers: { x: 'a\r\nb: c' } } },
    /send\.headers\.x: must be of plain/,
  ],
  [
    'a header of ours',
    { ...LEAST, send: { url: 'https://a.example', headers: { 'Content-Length': '1' } } },
    /set by the program itself/,
  ],
  [
    'a secret that is not there',
    { ...LEAST, send: { url: 'https://a.example', headers: { x: '{{secret.key}}' } } },
    /send\.headers\.x: secret\.key is not among the secrets/,
  ],
  [
    'a missing variable',
    { ...LEAST, secrets: { key: { env: 'ACME_KEY' } } },
    /secrets\.key: the environment has no ACME_KEY/,
  ],
  [
    'a body with GET',
    { ...LEAST, send: { url: 'https://a.example', method: 'GET', body: { kind: 'json', content: 1 } } },
    /send\.body: must not be there with GET/,
  ],
  [
    'a raw body that does not say how to escape',
    { ...LEAST, send: { url: 'https://a.example', body: { kind: 'raw', contentType: 'a/b', text: '' } } },
    /send\.body\.escape: must be one of/,
  ],
  [
    'a bad regular expression',
    { ...LEAST, answer: { id: { regex: '(' } } },
    /answer\.id\.regex: is no regular expression/,
  ],
  ['two places', { ...LEAST, answer: { id: { json: 'a', header: 'b' } } }, /answer\.id: must say one place/],
  ['a form in an answer', { ...LEAST, answer: { id: { form: 'a' } } }, /answer\.id: must say one place/],
  [
    'a condition without a place',
    { ...LEAST, answer: { success: { equals: 'ok' } } },
    /answer\.success\.where: is needed/,
  ],
  [
    'calls that anyone may make',
    { ...LEAST, status: { check: { kind: 'none' }, id: { json: 'a' }, state: { json: 'b' }, states: {} } },
    /status\.check\.?\w*: must be of the kind token/,
  ],
  [
    'a check by an unknown secret',
    {
      ...LEAST,
      status: { check: { kind: 'token', secret: 'x' }, id: { json: 'a' }, state: { json: 'b' }, states: {} },
    },
    /status\.check\.secret: x is not among/,
  ],
  [
    'an unknown state',
    {
      ...LEAST,
      secrets: { x: 'y' },
      status: {
        check: { kind: 'token', secret: 'x' },
        id: { json: 'a' },
        state: { json: 'b' },
        states: { '1': 'gone' },
      },
    },
    /status\.states\.1: must be one of delivered/,
  ],
  ['a bad name', { ...LEAST, name: 'A b' }, /name: must be of small letters/],
  ['a name twice', [LEAST, LEAST], /the name acme is used twice/],
])('%s is refused with its place', (_, content, fault) => {
  expect(() => read(content)).toThrow(fault);
});

it('tells all faults at once, and never a secret', () => {
  const faulty = {
    ...LEAST,
    secrets: { key: 'hunter2' },
    window: 0,
    send: { url: 'x', headers: { a: '{{b}}' } },
  };
  expect(() => read(faulty)).toThrow(/window: .*send\.url: /s);
  expect(() => read(faulty)).not.toThrow(/hunter2/);
});

it('a folder is read in the order of its files, and lists count too', () => {
  const path = mkdtempSync(join(folder, 'many-'));
  expect(() => readTemplates({ path, variable: () => undefined })).toThrow(/no files that end in \.json/);
  writeFileSync(
    join(path, 'b.json'),
    JSON.stringify([
      { ...LEAST, name: 'b1' },
      { ...LEAST, name: 'b2' },
    ]),
  );
  writeFileSync(join(path, 'a.json'), JSON.stringify({ ...LEAST, name: 'a' }));
  writeFileSync(join(path, 'notes.txt'), 'not read');
  const names = readTemplates({ path, variable: () => undefined }).map(({ name }) => name);
  expect(names).toEqual(['a', 'b1', 'b2']);
  expect(() => readTemplates({ path: join(path, 'gone'), variable: () => undefined })).toThrow(/ENOENT/);
});

it('what stands in a value is never read as part of the template', () => {
  const template = one({
    secrets: { key: 'k"y' },
    send: {
      url: 'https://a.example/{{to}}/x?k={{secret.key}}',
      query: { t: '{{text}}' },
      headers: { 'X-From': '{{from}}' },
      body: {
        kind: 'json',
        content: { text: 'say {{text}}', sender: '{{from}}', callback: '{{callbackUrl}}', n: 5 },
      },
    },
  });
  const text = '","to":"+1 {{secret.key}} $& \u2028';
  const call = composeCall(template, newOutgoing({ recipient: '+1/../2?x#y', text }), undefined);
  if ('outcome' in call) throw new Error('refused');
  expect(call.url).toBe(
    `https://a.example/${encodeURIComponent('+1/../2?x#y')}/x?k=k%22y&${new URLSearchParams({ t: text })}`,
  );
  // Fields that are nothing but a placeholder without a value are left out.
  expect(JSON.parse(call.body ?? '')).toEqual({ text: `say ${text}`, n: 5 });
  expect(call.headers).toEqual({ accept: '*/*', 'content-type': 'application/json' });
});

test.each(['a\r\nb: c', 'a\0', '中文'])(
  'the sender %j can not stand in a header: the message is refused',
  (from) => {
    const template = one({ send: { url: 'https://a.example', headers: { 'x-from': '{{from}}' } } });
    expect(composeCall(template, newOutgoing({ recipient: '+1', from }), undefined)).toMatchObject({
      outcome: 'refused',
      code: 'INVALID_SENDER',
      retryable: false,
    });
  },
);

const answering = one({
  answer: {
    success: { statuses: [200], where: { json: 'ok' }, equals: [true, 1] },
    id: { json: 'list[0].id' },
    errorCode: { json: 'error' },
    errors: {
      E5: { code: 'FIVE', retryable: true },
      HTTP_404: { code: 'GONE' },
      '500': { code: 'NOT_TAKEN', retryable: true },
    },
  },
});
test.each<[number, unknown, object]>([
  [200, { ok: true, list: [{ id: 7 }] }, { outcome: 'accepted', providerMessageId: '7' }],
  [200, { ok: 1, list: [] }, { outcome: 'accepted', providerMessageId: 'ours' }],
  [200, { ok: false }, { outcome: 'unknown' }],
  [200, { ok: false, error: 'E5' }, { outcome: 'refused', code: 'FIVE', retryable: true }],
  [200, { ok: false, error: 'E 6' }, { outcome: 'refused', code: 'ACME_E_6', retryable: false }],
  [200, 'no JSON', { outcome: 'unknown' }],
  [204, {}, { outcome: 'unknown' }],
  [301, {}, { outcome: 'refused', code: 'HTTP_301', retryable: true }],
  [400, {}, { outcome: 'refused', code: 'HTTP_400', retryable: false }],
  [401, {}, { outcome: 'refused', code: 'HTTP_401', retryable: true }],
  [404, { error: 'what' }, { outcome: 'refused', code: 'GONE', retryable: false }],
  [408, {}, { outcome: 'unknown' }],
  [429, { error: 'X' }, { outcome: 'refused', code: 'ACME_X', retryable: true }],
  [500, { error: 'X' }, { outcome: 'unknown' }],
  [500, { error: 500 }, { outcome: 'refused', code: 'NOT_TAKEN', retryable: true }],
])('the answer %i %j means %j', (status, body, outcome) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(readAnswer(answering, 'ours', { kind: 'answered', status, headers: {}, body: text })).toMatchObject(
    outcome,
  );
});

it('other errors are what the template says', () => {
  for (const [otherErrors, expected] of [
    ['unknown', { outcome: 'unknown' }],
    ['retryable', { retryable: true }],
  ] as const)
    expect(
      readAnswer(one({ answer: { otherErrors } }), 'ours', {
        kind: 'answered',
        status: 400,
        headers: {},
        body: '',
      }),
    ).toMatchObject(expected);
});

it('a path finds only what is there itself', () => {
  expect(readPath({ a: [{ b: null }] }, 'a[0].b')).toBeNull();
  expect(readPath([1], '$')).toEqual([1]);
  expect(readPath({}, 'constructor.name')).toBeUndefined();
  expect(readPath(undefined, 'a')).toBeUndefined();
});

it('the runbook shows the example that is tested', () => {
  const text = (path: string) => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');
  expect(text('PROVIDERS.md')).toContain(text('http-sms/json-api.json'));
});

import { join } from 'node:path';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { openTable } from '../../test/webhooks/endpoints.ts';
import { openWeb } from './testing/open-web.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the document keeps the rules that Redocly recommends, but for the eleven paths that are named', async () => {
  const app = await openWeb(openTable());
  const problems = await lintFromString({
    source: (await app.inject('/api/openapi.json')).body,
    absoluteRef: join(ROOT, 'openapi.json'),
    config: await loadConfig({ configPath: join(ROOT, 'redocly.yaml') }),
  });
  const told = problems.map(({ ruleId, message, location: [at], ignored }) => ({
    ignored: ignored === true,
    problem: `${ruleId} ${at?.pointer}: ${message}`,
  }));
  expect(told.flatMap(({ ignored, problem }) => (ignored ? [] : problem))).toEqual([]);
  expect(told).toHaveLength(11);
});

test('every call says how it is refused, and who may make it', async () => {
  const app = await openWeb(openTable());
  const { paths, components } = (await app.inject('/api/openapi.json')).json();
  const operations = Object.values<Record<string, { responses: object; security?: object[] }>>(paths).flatMap(
    (methods) => Object.values(methods),
  );
  const refused = { $ref: '#/components/responses/Error' };
  for (const { responses, security } of operations) {
    expect(responses).toMatchObject({ '4XX': refused, default: refused });
    expect(security).toBeDefined();
  }
  expect(components.schemas.Error.properties.code.enum).toEqual(
    expect.arrayContaining(['E_SECRET_MISSING', 'E_CONTENT_TYPE', 'E_METHOD_NOT_ALLOWED']),
  );
});

test('a record of known keys names each of them, and one choice is written without the choice', async () => {
  const app = await openWeb(openTable());
  const { paths } = (await app.inject('/api/openapi.json')).json();
  const { channels } = paths['/api/startup'].get.responses[200].content['application/json'].schema.properties;
  const channel = {
    type: 'object',
    properties: { available: { type: 'boolean' }, simulated: { type: 'boolean' } },
    required: ['available', 'simulated'],
    additionalProperties: false,
  };
  expect(channels).toEqual({
    type: 'object',
    properties: { sms: channel, whatsapp: channel, email: channel },
    required: ['sms', 'whatsapp', 'email'],
    additionalProperties: false,
    description: expect.any(String),
  });
  const [date] = paths['/api/account/{accountId}/billing'].get.parameters;
  expect(date.schema).toEqual({ type: 'string', pattern: expect.any(String) });
});

import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { Limits } from '../ground/limits/index.ts';
import { admitSender } from './guards.ts';

const accountId = 'an account' as string as AccountId;

test.each([
  ['POST', '/api/:channel/send', false, []],
  ['POST', '/api/:channel/sendMany', false, []],
  ['POST', '/api/:channel/csvSend', false, []],
  ['POST', '/api/uploads/:uploadId/send', false, []],
  ['POST', '/api/:channel/csvPreflight', false, ['secret-account']],
  ['GET', '/api/messages/:messageId', false, ['secret-account']],
  ['POST', '/api/:channel/send', true, ['caller-account']],
])('%s %s with a secret (test: %s) is counted by %j', async (method, url, isTest, counted) => {
  const kinds: string[] = [];
  const limits = { consume: async (kind: string) => void kinds.push(kind) } as unknown as Limits;
  const request = { method, headers: {}, routeOptions: { url } } as unknown as FastifyRequest;
  await admitSender(
    request,
    { limits, findSession: async () => undefined, findSender: async () => ({ accountId, test: isTest }) },
    'ph_secret',
  );
  expect(kinds).toEqual(counted);
});

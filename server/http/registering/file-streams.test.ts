import { Readable } from 'node:stream';
import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { callerFile } from '../../ground/route/index.ts';
import { replyWithError } from '../error-reply.ts';
import { registerRoutes } from './register-routes.ts';

const destroyed = vi.fn();
/** Begins, and never ends by itself. */
const endless = (): Readable => {
  const body = new Readable({ read: () => {} });
  body.push('begun');
  body.once('close', destroyed);
  return body;
};
const app = fastify({ forceCloseConnections: true });
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(
  app,
  [
    {
      guard: 'customer',
      files: {
        'GET /endless.csv': callerFile({
          summary: '',
          params: z.object({}),
          answer: () => ({ contentType: 'text/plain', fileName: 'a.csv', body: endless() }),
        }),
        'GET /short.txt': callerFile({
          summary: '',
          params: z.object({}),
          answer: () => ({ contentType: 'text/plain', fileName: 'a.txt', body: Buffer.from('short') }),
        }),
      },
    },
  ],
  {
    findSession: async (token) => ({
      accountId: token as AccountId,
      admin: false,
      sessionHash: Buffer.alloc(0),
    }),
    findSender: async () => undefined,
    limits: { consume: async () => {} } as never,
  },
);
const url = await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());

const PER_ACCOUNT = 4;
const get = (path: string, token: string, signal?: AbortSignal) =>
  fetch(`${url}/api/${path}`, { headers: { authorization: token }, ...(signal && { signal }) });

test('files that are made as they are read are few at a time for an account, and others have theirs', async () => {
  const leaving = new AbortController();
  const open = Array.from({ length: PER_ACCOUNT }, () => get('endless.csv', 'a', leaving.signal));
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual(Array(PER_ACCOUNT).fill(200));
  const refused = await get('endless.csv', 'a');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  // The stream of the refused one does not stay open.
  await vi.waitFor(() => expect(destroyed).toHaveBeenCalledTimes(1), { timeout: 20_000 });
  expect((await get('short.txt', 'a')).status).toBe(200);
  const other = new AbortController();
  expect((await get('endless.csv', 'b', other.signal)).status).toBe(200);
  leaving.abort();
  other.abort();
  const again = new AbortController();
  await vi.waitFor(async () => expect((await get('endless.csv', 'a', again.signal)).status).toBe(200), {
    timeout: 20_000,
  });
  again.abort();
});

import fastify from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { afterAll, expect, test } from 'vitest';
import { openTestMessages } from '../../test/messages.ts';
import { replyWithError } from '../http/error-reply.ts';
import { registerRoutes } from '../http/register-routes.ts';
import { adminTransferRoutes } from './admin-routes.ts';

const room = await openTestMessages();
const accountId = await room.funded();
const app = fastify();
app.setValidatorCompiler(validatorCompiler);
app.setSerializerCompiler(serializerCompiler);
app.setErrorHandler(replyWithError);
registerRoutes(app, [{ guard: 'admin', routes: adminTransferRoutes({ db: room.db }) }], {
  findSession: async () => ({ accountId, admin: true, sessionHash: Buffer.alloc(0) }),
  findSender: async () => undefined,
  limits: room.accounts.limits,
});
afterAll(async () => {
  await app.close();
  await room.close();
});

test('a text that can not be stored is the caller’s fault', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/admin/messages/transfer',
    headers: { authorization: 'admin' },
    payload: { search: { provider: 'a\0b' } },
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'E_INVALID_REQUEST' });
});

test.each([{ _id: '=cmd' }, { batchId: '00000000-0000-4000-8000-000000000000' }])(
  'a search for what nobody has moves nothing: %o',
  async (search) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/admin/messages/transfer',
      headers: { authorization: 'admin' },
      payload: { search },
    });
    expect(answer.json()).toEqual({ moved: 0, refused: 0, reasons: [], done: true });
  },
);

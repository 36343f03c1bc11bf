import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Limits } from '../../ground/limits/index.ts';
import { replyWithError } from '../error-reply.ts';
import { guardHook } from '../guard-hook.ts';
import { registerWebhooks } from '../registering/register-webhooks.ts';
import { reserveBodies } from './reserve-bodies.ts';

const MEGABYTE = 1024 * 1024;
const WAIT = { timeout: 20_000, interval: 20 };

/** A provider's webhook and a call that takes its secret in the body, at a port. */
const open = async () => {
  const app = fastify({ trustProxy: true });
  app.setErrorHandler(replyWithError);
  app.setNotFoundHandler(() => {
    throw new DomainError('E_NOT_FOUND');
  });
  reserveBodies(app);
  let begun = 0;
  app.addHook('preParsing', async () => {
    begun += 1;
  });
  registerWebhooks(app, {
    'POST /hook': {
      maxBytes: 4 * MEGABYTE,
      answer: async ({ body }) => ({ status: 200, body: `${body.length}` }),
    },
  });
  const deps = {
    limits: { consume: async () => {} } as unknown as Limits,
    findSession: async () => undefined,
    findSender: async (secret: string) =>
      secret === 'ph_right' ? { accountId: 'an account' as string as AccountId, test: false } : undefined,
  };
  app.post('/send', guardHook({ guard: 'sender' }, 'POST /send', deps), async () => 'sent');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sockets: Socket[] = [];
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
  });

  /** Announces a body and sends none of it. */
  const holdBack = (path: string, from: string, headers: string[]) => {
    const head = [`POST ${path} HTTP/1.1`, 'host: a', `x-forwarded-for: ${from}`, ...headers, '', ''];
    const socket = connect(port, '127.0.0.1', () => socket.write(head.join('\r\n')));
    sockets.push(socket.on('error', () => {}));
    const answer = new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data)));
      socket.once('close', () => resolve('cut'));
    });
    return { answer, close: () => socket.destroy() };
  };
  const JSON_TYPE = 'content-type: application/json';
  /** So many that the server waits for, by one address. */
  const hold = async (count: number, path: string, from: string, headers: string[]) => {
    const before = begun;
    const held = Array.from({ length: count }, () => holdBack(path, from, [JSON_TYPE, ...headers]));
    await vi.waitFor(() => expect(begun).toBe(before + count), WAIT);
    return held;
  };
  const refusal = (path: string, from: string, headers: string[]) =>
    holdBack(path, from, [JSON_TYPE, ...headers]).answer;
  const post = async (path: string, from: string, body: string | object, headers = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return `${answer.status} ${await answer.text()}`;
  };
  return { hold, refusal, post };
};

const LARGEST = [`content-length: ${4 * MEGABYTE}`];
const UNKNOWN_LENGTH = ['transfer-encoding: chunked'];
const large = (bytes: number): string => 'x'.repeat(bytes);

test('bodies of strangers that are held back take what one address and all may take, and no more', async () => {
  const { hold, refusal, post } = await open();
  const held = await hold(16, '/api/hook', '10.0.0.1', LARGEST);
  const refused = await refusal('/api/hook', '10.0.0.1', LARGEST);
  expect(refused).toMatch(/^HTTP\/1\.1 503 /);
  expect(refused).toMatch(/\r\nretry-after: \d+\r\n/i);
  expect(await refusal('/send', '10.0.0.1', UNKNOWN_LENGTH)).toMatch(/ 503 /);
  expect(await refusal('/nowhere', '10.0.0.1', ['content-length: 100000'])).toMatch(/ 503 /);
  // A wrong secret in the header is none.
  expect(
    await refusal('/send', '10.0.0.1', ['authorization: Bearer ph_wrong', 'content-length: 100000']),
  ).toMatch(/ 503 /);

  // The same address goes on with small bodies, and with a secret in the header; another one with any.
  expect(await post('/api/hook', '10.0.0.1', large(64 * 1024))).toBe(`200 ${64 * 1024}`);
  expect(await post('/send', '10.0.0.1', { secret: 'ph_right' })).toBe('200 sent');
  expect(
    await post('/send', '10.0.0.1', { text: large(900_000) }, { authorization: 'Bearer ph_right' }),
  ).toBe('200 sent');
  expect(await post('/api/hook', '10.0.0.2', large(4 * MEGABYTE))).toBe(`200 ${4 * MEGABYTE}`);

  for (const from of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) await hold(64, '/send', from, UNKNOWN_LENGTH);
  expect(await refusal('/api/hook', '10.0.0.5', LARGEST)).toMatch(/ 503 /);
  expect(await post('/send', '10.0.0.5', { secret: 'ph_right' })).toBe('200 sent');

  for (const { close } of held) close();
  await vi.waitFor(
    async () => expect(await post('/api/hook', '10.0.0.1', large(4 * MEGABYTE))).toMatch(/^200/),
    WAIT,
  );
});

test('a customer sends 64 bodies of a megabyte at a time, again and again', async () => {
  const { post } = await open();
  const body = { secret: 'ph_right', text: large(MEGABYTE - 100) };
  for (let round = 0; round < 2; round += 1) {
    const answers = await Promise.all(Array.from({ length: 64 }, () => post('/send', '10.0.0.1', body)));
    expect(new Set(answers)).toEqual(new Set(['200 sent']));
  }
});

test('a large body that does not arrive soon is cut off, and its bytes are free again', async () => {
  const { hold, refusal } = await open();
  const begun = performance.now();
  const held = await hold(16, '/api/hook', '10.0.0.1', LARGEST);
  expect(await refusal('/api/hook', '10.0.0.1', LARGEST)).toMatch(/ 503 /);
  await Promise.all(held.map(({ answer }) => answer));
  expect(performance.now() - begun).toBeLessThan(28_000);
  await hold(16, '/api/hook', '10.0.0.1', LARGEST);
}, 90_000);

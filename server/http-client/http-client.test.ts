import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, it, test } from 'vitest';
import { startHttpServer } from '../../test/emulators/http-server.ts';
import { freePort } from '../../test/program.ts';
import { openHttpClient, openLink } from './index.ts';

const client = openHttpClient({ connectMs: 300, answerMs: 300 });
afterAll(() => client.close());
const post = (url: string, headers: Record<string, string> = {}) =>
  client.call({ method: 'POST', url, headers, body: 'text=你好' });

const servers: Server[] = [];
const raw = async (onData: (socket: Socket, data: Buffer) => void): Promise<string> => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => onData(socket, data));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  servers.push(server);
  return `http://127.0.0.1:${port}/`;
};
afterAll(() => {
  for (const server of servers) server.close();
});

it('brings the answer, whatever its status, and follows nothing', async () => {
  const server = await startHttpServer(({ body }) => ({
    status: 307,
    type: 'text/plain',
    body: `got ${body}`,
  }));
  expect(await post(server.url)).toMatchObject({ kind: 'answered', status: 307, body: 'got text=你好' });
  await server.close();
});

test.each([
  ['nobody listens', async () => `http://127.0.0.1:${await freePort()}/`],
  ['the host has no address', async () => 'http://host.invalid/'],
  [
    'the handshake of TLS fails',
    async () => (await raw((socket) => socket.end('no TLS'))).replace('http:', 'https:'),
  ],
  ['TLS never ends its handshake', async () => (await raw(() => {})).replace('http:', 'https:')],
])('where %s nothing was sent for certain', async (_, url) => {
  expect(await post(await url())).toMatchObject({ kind: 'not-sent' });
});

it('a header that would be two is never sent', async () => {
  const server = await startHttpServer(() => ({ status: 200, body: '' }));
  expect(await post(server.url, { 'x-from': 'a\r\nx-other: b' })).toMatchObject({ kind: 'not-sent' });
  await server.close();
});

test.each<[string, string | undefined]>([
  ['hangs up', undefined],
  ['breaks off in its answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"id":'],
  ['talks nonsense', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['answers without an end', `HTTP/1.1 200 OK\r\ncontent-length: 900000\r\n\r\n${'x'.repeat(300_000)}`],
])('a far end that %s may have read it: lost', async (_, answer) => {
  const url = await raw((socket) => (answer === undefined ? socket.destroy() : socket.end(answer)));
  expect(await post(url)).toMatchObject({ kind: 'lost' });
});

it('a far end that stays silent may have read it: lost, in time', async () => {
  expect(await post(await raw(() => {}))).toMatchObject({
    kind: 'lost',
    reason: 'there was no answer within 300 ms',
  });
});

it('a connection that is used again and dies may have brought it: lost', async () => {
  let calls = 0;
  const url = await raw((socket) => {
    calls += 1;
    if (calls === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    else socket.destroy();
  });
  expect(await post(url)).toMatchObject({ kind: 'answered', body: 'ok' });
  expect(await post(url)).toMatchObject({ kind: 'lost' });
  expect(calls).toBe(2);
});

it('a link that is not there at first is up once it is', async () => {
  const server = await startHttpServer(() => ({ status: 200, body: '' }));
  await server.stop();
  const link = openLink({ url: server.url, connectMs: 300 });
  const states: boolean[] = [];
  await link.open(({ up }) => void states.push(up));
  expect(await link.call({ method: 'GET', url: server.url, headers: {} })).toMatchObject({
    kind: 'not-sent',
  });
  await server.start();
  await expect.poll(() => link.isUp(), { timeout: 5_000 }).toBe(true);
  expect(states).toEqual([false, true]);
  await link.close(100);
  await server.close();
});

import { once } from 'node:events';
import { createServer, type LookupFunction, type Server, type Socket } from 'node:net';
import { afterAll, expect, it, test } from 'vitest';
import { startHttpServer } from '../../../test/emulators/http-server.ts';
import { freePort } from '../../../test/program.ts';
import { openHttpClient, openLink } from './index.ts';

const client = openHttpClient({ connectMs: 20_000, answerMs: 20_000 });
const hurried = openHttpClient({ connectMs: 300, answerMs: 300 });
afterAll(() => {
  client.close();
  hurried.close();
});
const post = (url: string, headers: Record<string, string> = {}, by = client) =>
  by.call({ method: 'POST', url, headers, body: 'text=你好' });

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
  expect(await post(await url(), {}, hurried)).toMatchObject({ kind: 'not-sent' });
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
  const waiting = openHttpClient({ connectMs: 20_000, answerMs: 300 });
  expect(await post(await raw(() => {}), {}, waiting)).toMatchObject({
    kind: 'lost',
    reason: 'there was no answer within 300 ms',
  });
  waiting.close();
});

/** The address of a name that is found only after some time. */
const findAfter =
  (ms: number): LookupFunction =>
  (_name, _options, found) =>
    setTimeout(() => found(null, [{ address: '127.0.0.1', family: 4 }]), ms);

it('a call has a limit as a whole, however long the connection took', async () => {
  const times = { connectMs: 20_000, answerMs: 20_000, callMs: 2_000 };
  const hasty = openHttpClient({ ...times, lookup: findAfter(600) });
  const url = (await raw(() => {})).replace('127.0.0.1', 'slow.example');
  const began = performance.now();
  expect(await hasty.call({ method: 'POST', url, headers: {}, body: 'x' })).toMatchObject({ kind: 'lost' });
  expect(performance.now() - began).toBeLessThan(15_000);
  hasty.close();
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

it('a connection that the far end closed while it rested is replaced', async () => {
  const url = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
  expect(await post(url)).toMatchObject({ kind: 'answered' });
  expect(await post(url)).toMatchObject({ kind: 'answered' });
});

it('a connection that the far end resets just before it is used again is replaced', async () => {
  const sockets: Socket[] = [];
  const url = await raw((socket) => {
    sockets.push(socket);
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  expect(await post(url)).toMatchObject({ kind: 'answered' });
  sockets[0]?.resetAndDestroy();
  expect(await post(url)).toMatchObject({ kind: 'answered' });
  expect(sockets).toHaveLength(2);
});

/** Keeps what comes in, never answers, and counts the connections that ended. */
const silent = async () => {
  const heard = { text: '', ended: 0 };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard.text += data;
    });
    socket.on('close', () => {
      heard.ended += 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return { port: (server.address() as { port: number }).port, heard };
};

it('what was given up before there was a connection is not sent when there is one', async () => {
  const { port, heard } = await silent();
  const slow = openHttpClient({ connectMs: 50, answerMs: 300, lookup: findAfter(200) });
  const url = `http://slow.example:${port}/`;
  expect(await slow.call({ method: 'POST', url, headers: {}, body: 'x' })).toMatchObject({
    kind: 'not-sent',
    reason: 'there was no connection within 50 ms',
  });
  await expect.poll(() => heard.ended).toBe(1);
  expect(heard.text).toBe('');
  slow.close();
});

it('what was given up while it waited for a free connection is never sent', async () => {
  const { port, heard } = await silent();
  const narrow = openHttpClient({ connectMs: 1_000, answerMs: 3_000, connections: 1 });
  const ask = (body: string) =>
    narrow.call({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body });
  const [first, second] = await Promise.all([ask('first'), ask('second')]);
  expect([first.kind, second.kind]).toEqual(['lost', 'not-sent']);
  // The second gets its connection now, and closes it without a word.
  await expect.poll(() => heard.ended).toBe(2);
  expect(heard.text).toContain('first');
  expect(heard.text).not.toContain('second');
  narrow.close();
});

it('a call that may arrive twice is sent again when a kept connection dies without a word, and only then', async () => {
  let calls = 0;
  const url = await raw((socket) => {
    calls += 1;
    if (calls % 2 === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    else if (calls === 2) socket.resetAndDestroy();
    else socket.end('HTTP/1.1 200 OK\r\ncontent-');
  });
  const ask = () => client.call({ method: 'POST', url, headers: {}, body: 'x', repeatable: true });
  expect(await ask()).toMatchObject({ kind: 'answered' });
  expect(await ask()).toMatchObject({ kind: 'answered' });
  expect(calls).toBe(3);
  expect(await ask()).toMatchObject({ kind: 'lost' });
  expect(calls).toBe(4);
});

test.each([
  ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 Continue twice, with a header', 'HTTP/1.1 100 \r\nserver: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ['early hints', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'],
])('%s before the answer is passed over', async (_, interim) => {
  for (const apart of [false, true]) {
    const final = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nok';
    const url = await raw((socket) => {
      if (!apart) return void socket.write(`${interim}${final}`);
      socket.write(interim);
      setTimeout(() => socket.write(final), 20);
    });
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 201, body: 'ok' });
  }
});

it('a user in the URL is sent as Basic authentication, unless a header says otherwise', async () => {
  const server = await startHttpServer(({ headers }) => ({ status: 200, body: headers.authorization ?? '' }));
  const url = server.url.replace('//', '//us%40er:pa%3Ass@');
  expect(await post(url)).toMatchObject({ body: `Basic ${Buffer.from('us@er:pa:ss').toString('base64')}` });
  expect(await post(url, { authorization: 'Bearer x' })).toMatchObject({ body: 'Bearer x' });
  await server.close();
});

it('headers that come twice are one: joined, or the first where there can be one only', async () => {
  const url = await raw((socket) =>
    socket.end(
      'HTTP/1.1 200 OK\r\nX-Id: a\r\nx-id: b\r\nRetry-After: 1\r\nRetry-After: 2\r\ncontent-length: 0\r\n\r\n',
    ),
  );
  expect(await post(url)).toMatchObject({ headers: { 'x-id': 'a, b', 'retry-after': '1' } });
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
  await expect.poll(() => link.isUp()).toBe(true);
  expect(states).toEqual([false, true]);
  await link.close(100);
  await server.close();
});

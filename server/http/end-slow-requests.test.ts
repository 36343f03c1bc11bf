import { connect } from 'node:net';
import fastify from 'fastify';
import { afterAll, expect, test, vi } from 'vitest';
import { endSlowRequests, SLOW_REQUESTS } from './end-slow-requests.ts';

const LIMIT = { timeout: 180_000 };

const app = fastify({ ...SLOW_REQUESTS });
endSlowRequests(app);
app.post('/call', async () => 'done');
await app.listen({ host: '127.0.0.1', port: 0 });
afterAll(() => app.close());
const { port } = app.server.address() as { port: number };

/** Resolves when the server has cut the connection. */
const cut = (write: string, more?: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(write));
    const trickle = setInterval(() => more && socket.write(more), 1_000);
    socket.on('error', () => {});
    socket.resume();
    socket.once('close', () => {
      clearInterval(trickle);
      resolve();
    });
  });

test(
  'slow headers, a silent connection and a body in drops are cut off, and calls go on',
  LIMIT,
  async () => {
    const slow = Promise.all([
      cut(''),
      cut('POST /call HTTP/1.1\r\nhost: a\r\n', 'x: y\r\n'),
      cut('POST /call HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 1000\r\n\r\n', 'x'),
    ]);
    const answer = await app.inject({ method: 'POST', url: '/call' });
    expect(answer.body).toBe('done');
    await slow;
  },
);

test('an answer that nobody reads does not keep its connection for ever', async () => {
  const seen: number[] = [];
  const served = fastify({ ...SLOW_REQUESTS });
  endSlowRequests(served);
  served.get('/', async ({ raw }) => {
    const { socket } = raw;
    const set = socket.setTimeout.bind(socket);
    socket.setTimeout = (ms, callback) => {
      seen.push(ms);
      return set(ms, callback);
    };
    return 'long';
  });
  await served.listen({ host: '127.0.0.1', port: 0 });
  const { port: at } = served.server.address() as { port: number };
  expect(await (await fetch(`http://127.0.0.1:${at}/`)).text()).toBe('long');
  await vi.waitFor(() => expect(seen[0]).toBe(60_000));
  await served.close();
});

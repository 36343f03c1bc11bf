import { connect } from 'node:net';
import fastify from 'fastify';
import { afterAll, expect, test, vi } from 'vitest';
import { cutSlowUpload, endSlowRequests, SLOW_REQUESTS } from './end-slow-requests.ts';

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

test('a file that arrives in drops is cut off, and one on a slow line goes on', async () => {
  const MINUTES = 3;
  const served = fastify({ ...SLOW_REQUESTS });
  const arrived = new Map<string, number>();
  served.addContentTypeParser('text/csv', async ({ url }: { url: string }, body: AsyncIterable<Buffer>) => {
    for await (const { length } of body) arrived.set(url, (arrived.get(url) ?? 0) + length);
  });
  for (const path of ['/drops', '/slow'])
    served.post(path, {
      config: { upload: true },
      onRequest: async ({ raw }) => {
        raw.once('close', cutSlowUpload(raw));
      },
      handler: async () => 'done',
    });
  await served.listen({ host: '127.0.0.1', port: 0 });
  const { port: at } = served.server.address() as { port: number };
  const send = (path: string, length: number) => {
    const socket = connect(at, '127.0.0.1');
    let answer = '';
    socket
      .on('error', () => {})
      .on('data', (data) => {
        answer += data;
      });
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: text/csv\r\ncontent-length: ${length}\r\n\r\n`,
    );
    const write = async (text: string) => {
      const expected = (arrived.get(path) ?? 0) + text.length;
      socket.write(text);
      await vi.waitFor(() => expect(arrived.get(path)).toBe(expected));
    };
    return { write, isCut: () => socket.closed, answer: () => answer };
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const piece = 'x'.repeat(70_000);
    const drops = send('/drops', 1_000);
    const slow = send('/slow', MINUTES * 2 * piece.length);
    for (let half = 0; half < MINUTES * 2; half += 1) {
      if (half < 2) await drops.write('x');
      if (half > 0) await slow.write(piece);
      vi.advanceTimersByTime(30_000);
    }
    await vi.waitFor(() => expect(drops.isCut()).toBe(true));
    await slow.write(piece);
    await vi.waitFor(() => expect(slow.answer()).toContain('done'));
  } finally {
    vi.useRealTimers();
    await served.close();
  }
});

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

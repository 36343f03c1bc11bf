import { request } from 'node:http';
import { type AddressInfo, connect as connectTo } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DomainError } from '../../ground/domain-error.ts';
import type { Sockets } from '../../ground/route/index.ts';
import { replyWithError } from '../error-reply.ts';
import { registerSockets, wantsSocket } from './register-sockets.ts';

const WAIT = { timeout: 20_000, interval: 20 };

/** A socket that says everything back. */
const open = async (route: Partial<Sockets[`GET /${string}`]> = {}, turn = Promise.resolve()) => {
  const seen = { begun: 0, ended: 0, left: 0 };
  const app = fastify({ http: { shouldUpgradeCallback: wantsSocket } });
  app.setErrorHandler(replyWithError);
  app.addHook('onRequest', () => turn);
  app.addHook('preHandler', async () => {
    seen.begun += 1;
  });
  /** More than the buffers on the way take; it may stay unread for a moment. */
  app.get('/long', async ({ raw }) => {
    raw.socket.setTimeout(300);
    return 'x'.repeat(30_000_000);
  });
  registerSockets(app, {
    'GET /echo': {
      maxBytes: 100,
      admit: () => () => {
        seen.left += 1;
      },
      open: (socket) => ({
        onText: (text) => (text === 'bye' ? socket.end(4000, 'bye') : socket.send(text)),
        onPong: () => {},
        onEnd: () => {
          seen.ended += 1;
        },
      }),
      ...route,
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const connect = () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/echo`);
    const texts: string[] = [];
    const closed = Promise.withResolvers<number>();
    socket.onmessage = ({ data }) => texts.push(data);
    socket.onclose = ({ code }) => closed.resolve(code);
    const opened = new Promise<void>((resolve) => {
      socket.onopen = () => resolve();
    });
    return { socket, texts, opened, closed: closed.promise };
  };
  return { app, port, seen, connect };
};

test('texts go both ways, and either side may end it', async () => {
  const { connect, seen } = await open();
  const { socket, texts, opened, closed } = connect();
  await opened;
  socket.send('hello');
  await vi.waitFor(() => expect(texts).toEqual(['hello']), WAIT);
  socket.send('bye');
  expect(await closed).toBe(4000);
  await vi.waitFor(() => expect(seen).toEqual({ begun: 1, ended: 1, left: 1 }), WAIT);
});

test('a text that is too large ends it', async () => {
  const { connect, seen } = await open();
  const { socket, opened, closed } = connect();
  await opened;
  socket.send('x'.repeat(101));
  expect(await closed).toBe(1009);
  await vi.waitFor(() => expect(seen.ended).toBe(1), WAIT);
});

test('who is not admitted gets an answer instead of a socket, as does one without an upgrade', async () => {
  const { connect, port } = await open({
    admit: () => {
      throw new DomainError('E_UNAVAILABLE');
    },
  });
  expect(await connect().closed).toBe(1006);
  const answer = await fetch(`http://127.0.0.1:${port}/api/echo`);
  expect(answer.status).toBe(400);
});

test('a request with another upgrade is answered as if it had none', async () => {
  const { app, port } = await open();
  expect(app.server.listening).toBe(true);
  const status = await new Promise((resolve) =>
    request({ port, path: '/nowhere', headers: { connection: 'upgrade', upgrade: 'h2c' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).end(),
  );
  expect(status).toBe(404);
});

test('who asks for an upgrade and reads nothing, or never ends, keeps no connection', async () => {
  const { app, port } = await open({
    admit: () => {
      throw new DomainError('E_UNAVAILABLE');
    },
  });
  let upgrades = 0;
  app.server.on('upgrade', () => {
    upgrades += 1;
  });
  const connections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
  const ask = (path: string): void => {
    const socket = connectTo({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`);
    onTestFinished(() => void socket.destroy());
  };
  for (const path of ['/long', '/nowhere', '/api/echo']) ask(path);
  await vi.waitFor(() => expect(upgrades).toBe(3), WAIT);
  await vi.waitFor(async () => expect(await connections()).toBe(0), WAIT);
});

test('one whose connection is cut before the request had its turn takes no place', async () => {
  const turn = Promise.withResolvers<void>();
  let places = 0;
  const admit = () => {
    places += 1;
    return () => {
      places -= 1;
    };
  };
  const { app, port, seen } = await open({ admit }, turn.promise);
  const left = Promise.withResolvers<void>();
  // As for one that is idle for too long.
  app.server.on('upgrade', (_, socket) => socket.once('close', left.resolve).destroy());
  const socket = connectTo(port, '127.0.0.1').on('error', () => {});
  socket.write(
    'GET /api/echo HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await left.promise;
  turn.resolve();
  await vi.waitFor(() => expect(seen.begun).toBe(1), WAIT);
  await app.close();
  expect(places).toBe(0);
});

test('stopping the program ends it', async () => {
  const { app, connect } = await open();
  const { opened, closed } = connect();
  await opened;
  await app.close();
  expect(await closed).toBe(1001);
});

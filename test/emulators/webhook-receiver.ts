import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  id: string;
  timestamp: string;
  signature: string;
  headers: IncomingMessage['headers'];
  body: string;
  at: number;
}

/** What a receiver does with a request after it has read it. */
export type Behaviour = (response: ServerResponse, received: Received) => void;

const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };

export const BEHAVIOURS = {
  answer: answer(200, {}, 'thank you'),
  fail: answer(500, {}, 'out of order'),
  redirect: answer(302, { location: 'http://127.0.0.1:9/elsewhere' }),
  gone: answer(410),
  busy: answer(429, { 'retry-after': '2' }),
  hang: () => {},
  close: (response) => response.destroy(),
  endless: (response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(2_000)), 5);
    response.on('close', () => clearInterval(more));
  },
  trickle: (response) => {
    response.writeHead(200);
    response.write('begun');
  },
} satisfies Record<string, Behaviour>;

/** A customer's system on a socket of this machine. */
export const startReceiver = async (
  behaviour: Behaviour = BEHAVIOURS.answer,
  tls?: { key: string; cert: string },
) => {
  const received: Received[] = [];
  const state = { behaviour, connections: 0, atOnce: 0, mostAtOnce: 0 };
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    state.atOnce += 1;
    state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce);
    response.on('close', () => {
      state.atOnce -= 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        id: String(request.headers['webhook-id']),
        timestamp: String(request.headers['webhook-timestamp']),
        signature: String(request.headers['webhook-signature']),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      };
      received.push(one);
      state.behaviour(response, one);
    });
  };
  const server: Server = tls ? createSecureServer(tls, handle) : createServer(handle);
  server.on('connection', () => {
    state.connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/hook?key=1`,
    received,
    state,
    ids: (): Set<string> => new Set(received.map(({ id }) => id)),
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
};
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenOn } from './listen-on.ts';

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface Answer {
  status: number;
  type?: string;
  body: string;
}

/** `silence`: accepted and never answered. `hang-up`: accepted, and the connection is closed. */
export type Reaction = Answer | 'silence' | 'hang-up';

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** A service that answers with a function, and can be stopped and started at the same address. */
export const startHttpServer = async (answer: (asked: Asked) => Reaction | Promise<Reaction>) => {
  const react = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const said = await answer({
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await readBody(request),
    });
    if (said === 'silence') return;
    if (said === 'hang-up') {
      request.socket.destroy();
      return;
    }
    response.writeHead(said.status, { 'content-type': said.type ?? 'application/json' }).end(said.body);
  };
  const open = async (port = 0) => {
    const server = createServer((request, response) => void react(request, response));
    await listenOn(server, port);
    return server;
  };
  let server = await open();
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stop,
    start: async (): Promise<void> => {
      server = await open(port);
    },
    close: stop,
  };
};

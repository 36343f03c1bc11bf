import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { DomainError } from '../../ground/domain-error.ts';
import type { Sockets } from '../../ground/route/index.ts';
import { requestAddress } from '../defence/request-origin.ts';
import { splitName } from './route-name.ts';

interface Upgrade {
  socket: Duplex;
  head: Buffer;
}

/** RFC 6455: the server goes away. */
const GOING_AWAY = 1001;

/** Asked of every request with an upgrade; any other one is answered as if it had none. */
export const wantsSocket = ({ headers, method }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const bind = (
  socket: WebSocket,
  request: FastifyRequest,
  { open }: Sockets[`GET /${string}`],
  { address, admitted }: { address: string; admitted: () => void },
): void => {
  const { onText, onPong, onEnd } = open(
    {
      address,
      send: (text) => socket.send(text),
      ping: () => socket.ping(),
      end: (code, reason) => socket.close(code, reason),
      cut: () => socket.terminate(),
    },
    { log: request.log, admitted },
  );
  socket.on('message', (data, isBinary) => {
    if (isBinary) socket.close(1003, 'text frames only');
    else onText(data.toString());
  });
  socket.on('pong', onPong);
  // What is wrong with it, such as a frame that is too large, also closes it.
  socket.on('error', () => {});
  socket.once('close', onEnd);
};

/** Connections that stay open: the request passes the router like any other, and what the route says opens it. */
export const registerSockets = (app: FastifyInstance, sockets: Sockets): void => {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  const servers: WebSocketServer[] = [];
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    // Node cuts a connection that is idle for too long, but no longer looks after one that asked for an upgrade.
    socket.on('timeout', () => socket.destroy());
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.assignSocket(socket as never);
    // The other side need not end its half.
    response.once('finish', () => socket.end(() => socket.destroy()));
    app.routing(request, response);
  });
  for (const [name, route] of Object.entries(sockets)) {
    const { method, path } = splitName(name);
    const server = new WebSocketServer({
      noServer: true,
      maxPayload: route.maxBytes,
      perMessageDeflate: false,
    });
    servers.push(server);
    app.route({
      method,
      url: `/api${path}`,
      config: { guard: 'signed' },
      exposeHeadRoute: false,
      schema: { hide: true },
      handler: (request: FastifyRequest, reply: FastifyReply) => {
        const upgrade = upgrades.get(request.raw);
        if (!upgrade) throw new DomainError('E_INVALID_REQUEST', { reason: { label: 'input.websocket' } });
        // A caller that hung up before its turn must not take a place, because nothing would release it.
        if (upgrade.socket.destroyed) {
          reply.hijack();
          return;
        }
        const address = requestAddress(request);
        const admitted = route.admit({ address });
        upgrade.socket.once('close', admitted);
        reply.hijack();
        reply.raw.detachSocket(upgrade.socket as never);
        server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) =>
          bind(socket, request, route, { address, admitted }),
        );
      },
    });
  }
  // The server's close would wait for these connections.
  app.addHook('preClose', (done) => {
    for (const server of servers)
      for (const socket of server.clients) {
        socket.close(GOING_AWAY);
        setTimeout(() => socket.terminate(), 1_000).unref();
      }
    done();
  });
};

import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import {
  AGENT_PATH,
  type AgentFrame,
  type AgentIncoming,
  type AgentReceipt,
  type AgentSend,
  agentFrame,
  type HandOverResult,
  type Heartbeat,
  type Hello,
  type ServerFrame,
} from '../../contract/fleet/agent-protocol.ts';

/** The server's end of an agent's connection, which keeps what it hears in memory. */
export const startAgentServer = async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: AGENT_PATH });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<WebSocket>();
  const hellos: Hello[] = [];
  const heartbeats: Heartbeat[] = [];
  const taken: string[] = [];
  /** Every time they are heard. */
  const results: HandOverResult[] = [];
  const receipts: AgentReceipt[] = [];
  const incoming: AgentIncoming[] = [];
  const faults: string[] = [];
  const settings = { heartbeatSeconds: 1 } as Extract<ServerFrame, { type: 'welcome' }>['settings'];
  /** Whether it acknowledges what it hears, and whether it welcomes. */
  const manners = {
    acknowledges: true,
    refusal: undefined as Extract<ServerFrame, { type: 'refused' }> | undefined,
  };

  const say = (frame: ServerFrame): boolean => {
    const [socket] = [...sockets].slice(-1);
    socket?.send(JSON.stringify(frame));
    return socket !== undefined;
  };
  const acknowledge = (part: Partial<Extract<ServerFrame, { type: 'ack' }>>): void => {
    if (manners.acknowledges) say({ type: 'ack', results: [], receipts: [], incoming: [], ...part });
  };
  const hear = (frame: AgentFrame, socket: WebSocket): void => {
    switch (frame.type) {
      case 'hello':
        hellos.push(frame);
        if (manners.refusal) {
          socket.send(JSON.stringify(manners.refusal));
          socket.close();
          return;
        }
        sockets.add(socket);
        say({ type: 'welcome', agentId: frame.agentId, now: new Date().toISOString(), settings });
        return;
      case 'heartbeat':
        heartbeats.push(frame);
        return;
      case 'taken':
        taken.push(frame.id);
        return;
      case 'result':
        results.push(frame);
        acknowledge({ results: [frame.id] });
        return;
      case 'receipt':
        receipts.push(frame);
        acknowledge({ receipts: [frame.id] });
        return;
      case 'incoming':
        incoming.push(frame);
        acknowledge({ incoming: [frame.id] });
        return;
    }
  };
  server.on('connection', (socket) => {
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const read = agentFrame.safeParse(JSON.parse(String(data)));
      if (read.success) hear(read.data, socket);
      else faults.push(`${String(data)}: ${read.error.message}`);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    hellos,
    heartbeats,
    taken,
    results,
    receipts,
    incoming,
    faults,
    settings,
    manners,
    say,
    send: (send: AgentSend): boolean => say(send),
    isConnected: (): boolean => sockets.size > 0,
    /** Cuts the line. */
    cut: (): void => {
      for (const socket of sockets) socket.terminate();
    },
    close: (): Promise<void> =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
};

import {
  AGENT_PATH,
  type AgentFrame,
  MAX_FRAME_BYTES,
  type ServerFrame,
  SILENT_MS,
  serverFrame,
} from '../../contract/fleet/agent-protocol.ts';
import { SettingsFault } from '../settings-fault.ts';
import { growingPauses } from './pause.ts';

/** The one connection to the server, which is opened again whenever it ends. */
export interface Line {
  /** False if nobody is there to hear it. */
  say: (frame: AgentFrame) => boolean;
  close: () => void;
}

interface LineOptions {
  /** The server's address, http(s) or ws(s). */
  server: string;
  reconnect: { minMs: number; maxMs: number };
  /** The first frame of each connection. */
  hello: () => AgentFrame;
  heard: (frame: ServerFrame) => void;
  /** Why it ended, and after which pause it is opened again. */
  ended: (reason: string, pauseMs: number) => void;
  /** Another process connected with this agent's identity. */
  replaced: () => void;
}

/** The server closes a connection so when the same agent has a newer one. */
const REPLACED = 4_000;

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Plain connections carry texts and secrets in the clear: only within a machine, or if somebody insists. */
export const lineUrl = (server: string, { insecure = false } = {}): string => {
  const url = new URL(server);
  url.protocol = url.protocol.replace(/^http/, 'ws');
  if (url.protocol !== 'wss:' && url.protocol !== 'ws:')
    throw new SettingsFault(`${server} is no address of a server: it begins with https://.`);
  if (url.protocol === 'ws:' && !insecure && !LOOPBACK.has(url.hostname))
    throw new SettingsFault(
      `${server} is not encrypted: use https://, or --insecure in a network of your own.`,
    );
  url.pathname = AGENT_PATH;
  url.search = '';
  return url.href;
};

const readFrame = (data: unknown): ServerFrame | undefined => {
  if (typeof data !== 'string' || Buffer.byteLength(data) > MAX_FRAME_BYTES) return undefined;
  try {
    return serverFrame.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
};

export const openLine = ({ server, reconnect, hello, heard, ended, replaced }: LineOptions): Line => {
  const pauses = growingPauses(reconnect);
  let socket: WebSocket | undefined;
  let welcomed = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;

  const end = (of: WebSocket, reason: string): void => {
    if (of !== socket) return;
    socket = undefined;
    welcomed = false;
    clearTimeout(silence);
    of.close();
    if (closed) return;
    const pauseMs = pauses.take();
    ended(reason, pauseMs);
    timer = setTimeout(connect, pauseMs);
  };
  const connect = (): void => {
    const of = new WebSocket(server);
    socket = of;
    const listen = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => end(of, 'the server was not heard for too long'), SILENT_MS);
    };
    listen();
    of.addEventListener('open', () => {
      listen();
      of.send(JSON.stringify(hello()));
    });
    of.addEventListener('message', ({ data }) => {
      if (of !== socket) return;
      listen();
      const frame = readFrame(data);
      if (!frame) {
        end(of, 'the server said what this version does not understand');
        return;
      }
      if (frame.type === 'welcome') {
        welcomed = true;
        pauses.reset();
      }
      heard(frame);
    });
    of.addEventListener('error', () => end(of, 'the server could not be reached'));
    of.addEventListener('close', ({ code, reason }) => {
      if (code === REPLACED && of === socket) replaced();
      end(of, reason || 'the connection ended');
    });
  };
  connect();
  return {
    say: (frame) => {
      if (!welcomed || socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(silence);
      socket?.close();
      socket = undefined;
    },
  };
};

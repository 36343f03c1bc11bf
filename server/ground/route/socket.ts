import type { Log } from '../log/index.ts';

/** A connection on which both sides send texts at any time. */
export interface TextSocket {
  /** The other side's network address: for limits, never for identity. */
  address: string;
  send: (text: string) => void;
  ping: () => void;
  /** Says why and closes; `code` is of RFC 6455, or of our own from 4000 on. */
  end: (code: number, reason: string) => void;
  /** Cuts it without a word. */
  cut: () => void;
}

/** What a room does with what arrives. */
export interface SocketListener {
  onText: (text: string) => void;
  /** The other side has answered a ping. */
  onPong: () => void;
  onEnd: () => void;
}

interface SocketRoute {
  /** Of a text; a larger one ends the connection. */
  maxBytes: number;
  /** Refuses by throwing, before the connection is opened. What it returns is called at the latest when it ends. */
  admit: (from: { address: string }) => () => void;
  open: (
    socket: TextSocket,
    around: { log: Pick<Log, 'info' | 'warn'>; admitted: () => void },
  ) => SocketListener;
}
/** By `GET /path`, below /api. */
export type Sockets = Record<`GET /${string}`, SocketRoute>;

import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { skipContinue } from './skip-continue.ts';

export interface ConnectorOptions {
  connectMs: number;
  /** Resolves names instead of the system's resolver. An error from it refuses the connection. */
  lookup?: LookupFunction | undefined;
}

/** Makes connections, and remembers which one an error broke. No HTTP/2: undici may send a request again over it. */
export const openConnector = ({ connectMs, lookup }: ConnectorOptions) => {
  const build = buildConnector({ allowH2: false, timeout: connectMs, ...(lookup && { lookup }) });
  const broken = new WeakMap<Error, Socket>();
  const connect: buildConnector.connector = (target, callback) =>
    build(target, (...result) => {
      const [, socket] = result;
      if (socket) {
        skipContinue(socket);
        socket.on('error', (error) => broken.set(error, socket));
      }
      callback(...result);
    });
  return {
    connect,
    /** Whether the connection that this error broke had been read from before. */
    hadAnswered: (error: Error): boolean => (broken.get(error)?.bytesRead ?? 0) > 0,
  };
};

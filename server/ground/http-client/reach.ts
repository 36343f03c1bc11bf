import type { buildConnector } from 'undici';
import { describeError, withPlainCode } from './call-error.ts';

/** Connects and disconnects. Resolves with the reason if that fails, else with undefined. */
export const openReach =
  (connect: buildConnector.connector, connectMs: number) =>
  (url: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      const { protocol, host, hostname, port } = new URL(url);
      const timer = setTimeout(() => resolve(`there was no connection within ${connectMs} ms`), connectMs);
      connect({ protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }, (error, socket) => {
        clearTimeout(timer);
        socket?.destroy();
        resolve(error ? describeError(withPlainCode(error)) : undefined);
      });
    });

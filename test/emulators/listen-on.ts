import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Below the ports that systems assign automatically: a server that leaves such a port for a moment gets it again. */
const [FIRST, END] = [20_000, 32_000];
const TRIES = 100;
const PAUSE_MS = 100;

/** Listens on this machine only, on the given port or on a free one; returns which. */
export const listenOn = async (server: Server, port = 0): Promise<number> => {
  for (let tries = 1; ; tries += 1) {
    const wanted = port || randomInt(FIRST, END);
    try {
      server.listen(wanted, '127.0.0.1');
      await once(server, 'listening');
      return wanted;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error;
      if (port) await sleep(PAUSE_MS);
    }
  }
};

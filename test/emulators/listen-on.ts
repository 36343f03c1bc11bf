import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Below those that systems give to whoever asks for any port: what leaves one of these for a moment finds it again. */
const [FIRST, END] = [20_000, 32_000];
const TRIES = 100;
const PAUSE_MS = 100;

/** Listens on this machine alone, on the port given or on one that is free; answers which. */
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

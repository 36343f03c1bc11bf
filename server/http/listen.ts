import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartFault } from '../ground/terminal/index.ts';

export interface ListenAddress {
  host: string;
  port: number;
}

const asFault = (error: unknown, { host, port }: ListenAddress): unknown => {
  const reason = {
    EADDRINUSE: `Port ${port} on ${host} is taken: stop the program that uses it, or set PORT to another one.`,
    EACCES: `Port ${port} on ${host} may not be opened by this user: set PORT to one above 1023.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one it has.`,
    ENOTFOUND: `HOST ${host} is not known: set it to an address of this machine.`,
  }[(error as NodeJS.ErrnoException).code ?? ''];
  return reason ? new StartFault(reason, { cause: error }) : error;
};

/**
 * Fails early, before the slow parts of a start, if the port is not available. Returns the address with its real port:
 * with PORT=0 the system chooses one.
 */
export const choosePort = (address: ListenAddress): Promise<ListenAddress> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(asFault(error, address)));
    probe.listen(address, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve({ ...address, port }));
    });
  });

export const listen = async (app: FastifyInstance, address: ListenAddress): Promise<void> => {
  try {
    await app.listen(address);
  } catch (error) {
    throw asFault(error, address);
  }
};

/** How a browser on this machine reaches the address. */
export const localUrl = ({ host, port }: ListenAddress): string => {
  const name = ['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
};

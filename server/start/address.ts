import type { Config } from '../config.ts';
import { choosePort, type ListenAddress, localUrl } from '../http/listen.ts';

const DEFAULT_PORT = 3000;

/** What providers can call, if a public address is set. */
export const callableUrlOf = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): string | undefined =>
  PUBLIC_URL?.replace(/\/$/, '');

/** Where this process listens, if it does, and where people reach the program. */
export const chooseAddress = async (
  config: Config,
): Promise<{ address: ListenAddress | undefined; publicUrl: string }> => {
  const { HOST: host, PORT: port = DEFAULT_PORT } = config;
  // A process without pages serves its health only if a port is set.
  const listens = config.roles.includes('web') || config.PORT !== undefined;
  const address = listens ? await choosePort({ host, port }) : undefined;
  return {
    address,
    publicUrl: callableUrlOf(config) ?? localUrl(address ?? { host, port: DEFAULT_PORT }),
  };
};

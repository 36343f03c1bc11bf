import { Resolver } from 'node:dns/promises';

/** The TXT records of a name; none if it has none. Throws if nobody could say. */
export type ResolveTxt = (name: string) => Promise<string[]>;

const NONE = new Set(['ENOTFOUND', 'ENODATA']);

/** Asks the machine's name servers, or those given. */
export const openTxtResolver = ({ servers }: { servers?: string[] } = {}): ResolveTxt => {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (name) => {
    try {
      // A record longer than 255 octets comes in pieces.
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch (error) {
      if (NONE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  };
};

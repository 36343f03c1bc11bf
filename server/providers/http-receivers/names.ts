import { lookup as lookUpInSystem, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

interface Address {
  address: string;
  family: 4 | 6;
}

/** The name resolves to a network that must not be reached. */
export class AddressRefused extends Error {
  readonly code = 'E_ADDRESS_REFUSED';
}

export interface NamesOptions {
  allowPrivate: boolean;
  /** Name servers, if not the system's: for tests. */
  servers?: string[] | undefined;
}

const ANSWER_MS = 2_000;
const TRIES = 2;

/**
 * Resolves names without the thread pool of the system's resolver: four names without an answer would block everyone
 * else's. The connection goes to the resolved address, so a name that changes its address gains nothing.
 */
export const openNames = ({ allowPrivate, servers }: NamesOptions) => {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);

  const ask = async (name: string): Promise<Address[]> => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found: Address[] = [
      ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 as const })),
      ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 as const })),
    ];
    if (found.length > 0) return found;
    // Names from this machine's hosts file are only for customers who may reach it.
    if (allowPrivate) return (await lookUpInSystem(name, { all: true })) as Address[];
    throw four.status === 'rejected' ? four.reason : new Error(`${name} has no address`);
  };

  /** One private address among them refuses the name. */
  const resolve = async (name: string): Promise<Address[]> => {
    const found = await ask(name);
    if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
      throw new AddressRefused(`${name} leads into a network that is not public`);
    return found;
  };

  const lookup: LookupFunction = (name, options, callback) => {
    resolve(name).then(
      (found) => {
        const fitting = options.family ? found.filter(({ family }) => family === options.family) : found;
        const [first] = fitting;
        if (!first) callback(Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, fitting);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, ''),
    );
  };
  return { resolve, lookup };
};

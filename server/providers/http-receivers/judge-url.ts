import { isIP } from 'node:net';
import type { AddressVerdict } from '../../traffic/webhooks/receivers.ts';
import { isPublicAddress } from './public-address.ts';

/** Names that mean this machine or this network wherever they are resolved. */
const INNER_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid)$/;
const WEB_PORTS = new Set(['', '80', '443']);
/** Ports below it belong to other services, to which we must not speak HTTP. */
const FIRST_FREE_PORT = 1_024;

/** Empty unless the host is written as an address. Decimal, octal and hexadecimal forms have become plain by now. */
export const literalOf = ({ hostname }: URL): string => {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : '';
};

export const hostNameOf = ({ hostname }: URL): string => {
  let name = hostname.toLowerCase();
  while (name.endsWith('.')) name = name.slice(0, -1);
  return name;
};

/** What the text alone shows, before any name is resolved. */
export const judgeUrl = (text: string, allowPrivate: boolean): { url?: URL; verdict: AddressVerdict } => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !hostNameOf(url)) return { verdict: 'invalid' };
  if (allowPrivate) return { url, verdict: 'fine' };
  const literal = literalOf(url);
  if (
    literal ? !isPublicAddress(literal) : !hostNameOf(url).includes('.') || INNER_NAME.test(hostNameOf(url))
  )
    return { url, verdict: 'private' };
  if (!WEB_PORTS.has(url.port) && Number(url.port) < FIRST_FREE_PORT) return { url, verdict: 'port' };
  return { url, verdict: 'fine' };
};

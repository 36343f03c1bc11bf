import { isIPv6 } from 'node:net';
import type { FastifyReply } from 'fastify';
import { DomainError } from '../../ground/domain-error.ts';

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Whether an address that people use points to their own machine. */
export const isLocalUrl = (url: string): boolean => LOCAL_HOST.test(new URL(url).host);

/**
 * The address that limits count by: an IPv4 address, or the /64 network that one IPv6 subscriber has. A caller that has
 * hung up has no address any more, whatever Fastify's type says.
 */
export const requestAddress = ({ ip }: { ip: string | undefined }): string => {
  if (ip === undefined) return 'gone';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped) return mapped;
  const bare = ip.split('%')[0] ?? ip;
  if (!isIPv6(bare)) return ip;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const whole = [...groups, ...Array<string>(missing).fill('0'), ...(tail ?? '').split(':').filter(Boolean)];
  return `${whole
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
};

/** Aborted if the connection closes before the answer was sent. The reason becomes an answer that nobody gets. */
export const hangUpOf = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController();
  const hangUp = () => controller.abort(new DomainError('E_INVALID_REQUEST', { reason: 'hung up' }));
  if (raw.destroyed) hangUp();
  else raw.once('close', () => raw.writableFinished || hangUp());
  return controller.signal;
};

import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/**
 * Whether the request was made on this machine itself. A proxy in front would also connect from
 * loopback, so any sign of one counts as 'no'; and a page elsewhere that points its own name at
 * 127.0.0.1 is told apart by the Host header.
 */
export const isLocal = (request: FastifyRequest): boolean =>
  LOOPBACK.test(request.socket.remoteAddress ?? '') &&
  request.headers['x-forwarded-for'] === undefined &&
  request.headers['x-real-ip'] === undefined &&
  request.headers.forwarded === undefined &&
  request.headers.via === undefined &&
  LOCAL_HOST.test(request.headers.host ?? '');

/** What limits count by: an IPv4 address, or the /64 network that one IPv6 subscriber has for himself. */
export const addressOf = ({ ip }: Pick<FastifyRequest, 'ip'>): string => {
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

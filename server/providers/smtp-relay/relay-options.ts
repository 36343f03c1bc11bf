import { hostname } from 'node:os';

/** How a mail server is reached. */
export interface RelayOptions {
  host: string;
  port: number;
  /** TLS from the first octet, as on port 465. */
  secure: boolean;
  /** Whether a plain connection has to be upgraded by STARTTLS. */
  starttls: 'required' | 'offered' | 'never';
  /** `ca` is a certificate to trust, in PEM; without `verify` any is taken. */
  verify: boolean;
  ca: string | undefined;
  user: string | undefined;
  password: string;
  /** Our name in EHLO; without it the local address of the connection. */
  name: string | undefined;
  /** Connections at the same time, at most. */
  connections: number;
  /** After this many messages a connection is reopened. */
  maxMessages: number;
  /** How long to wait for a connection and its greeting. */
  connectMs: number;
  /** How long to wait for any answer. */
  timeoutMs: number;
  /** After this long without work the last connection is checked, and all others end. */
  idleMs: number;
  reconnect: { firstMs: number; maxMs: number };
}

const COMMON_OPTIONS = {
  verify: true,
  ca: undefined,
  connections: 5,
  maxMessages: 500,
  connectMs: 20_000,
  // RFC 5321 would wait for ten minutes, but the caller gives up after 90 seconds.
  timeoutMs: 80_000,
  idleMs: 20_000,
  reconnect: { firstMs: 250, maxMs: 30_000 },
} as const satisfies Partial<RelayOptions>;

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i;
const CHOICES = ['required', 'offered', 'never'] as const;

const number = (
  query: URLSearchParams,
  name: string,
  common: number,
  [min, max]: [number, number],
): number => {
  const value = query.get(name);
  if (value === null) return common;
  if (!/^\d{1,9}$/.test(value) || Number(value) < min || Number(value) > max)
    throw new Error(`${name} must be a number from ${min} to ${max}`);
  return Number(value);
};

const choice = <Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => {
  const value = query.get(name);
  const chosen = choices.find((one) => one === value);
  if (value !== null && chosen === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}`);
  return chosen;
};

const ownName = (): string | undefined =>
  /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(hostname()) ? hostname() : undefined;

const readUrl = (setting: string, connections: number): RelayOptions => {
  if (!URL.canParse(setting)) throw new Error('it is not an address');
  const url = new URL(setting);
  if (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')
    throw new Error('it must begin with smtp:// or smtps://');
  if (url.hostname === '') throw new Error('the host is missing');
  const secure = url.protocol === 'smtps:';
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const user = url.username === '' ? undefined : decodeURIComponent(url.username);
  const query = url.searchParams;
  // An attacker in between could remove STARTTLS and read the password.
  const safest = user !== undefined && !LOOPBACK.test(host) ? 'required' : 'offered';
  return {
    ...COMMON_OPTIONS,
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    starttls: choice(query, 'starttls', CHOICES) ?? safest,
    verify: (choice(query, 'verify', ['yes', 'no']) ?? 'yes') === 'yes',
    user,
    password: decodeURIComponent(url.password),
    name: query.get('name') ?? ownName(),
    connections,
    maxMessages: number(query, 'maxMessages', COMMON_OPTIONS.maxMessages, [1, 1_000_000]),
    timeoutMs: number(query, 'timeoutMs', COMMON_OPTIONS.timeoutMs, [100, 600_000]),
    idleMs: number(query, 'idleMs', COMMON_OPTIONS.idleMs, [100, 3_600_000]),
  };
};

const KNOWN = new Set(['starttls', 'verify', 'name', 'maxMessages', 'timeoutMs', 'idleMs']);

/**
 * Parses a setting such as smtp://user:password@host:587?maxMessages=100. A `lenient` reading ignores unknown
 * parameters: SMTP_URL is shared with the mailer. Its errors never contain the password.
 */
export const relayOptions = (
  setting: string,
  {
    connections = COMMON_OPTIONS.connections,
    lenient = false,
  }: { connections?: number; lenient?: boolean } = {},
): RelayOptions => {
  try {
    const options = readUrl(setting, connections);
    const { searchParams } = new URL(setting);
    const strange = [...searchParams.keys()].find((name) => !KNOWN.has(name));
    if (strange !== undefined && !lenient) throw new Error(`${strange} is not known`);
    if (options.name !== undefined && !/^[\x21-\x7e]{1,255}$/.test(options.name))
      throw new Error('name must be a host name');
    return searchParams.get('tls.rejectUnauthorized') === 'false' ? { ...options, verify: false } : options;
  } catch (error) {
    throw new Error(`Not a setting for SMTP: ${(error as Error).message}.`);
  }
};

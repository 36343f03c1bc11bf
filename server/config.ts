import { randomBytes } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { REGISTRATION } from '../contract/customer/accounts.ts';
import { REAL_SENDING } from '../contract/customer/sending-limits.ts';
import { RETENTION_MODES } from '../contract/office/retention.ts';
import { list, number, url } from './ground/settings/index.ts';
import { StartFault } from './ground/terminal/index.ts';
import { receiversSection } from './providers/http-receivers/settings.ts';
import { httpSmsSection } from './providers/http-sms/settings.ts';
import { smppSection } from './providers/smpp/settings.ts';
import { mailerSection } from './providers/smtp/settings.ts';
import { relaySection } from './providers/smtp-relay/settings.ts';
import { stripeSection } from './providers/stripe/settings.ts';
import { twilioSection } from './providers/twilio/settings.ts';
import { cloudSection } from './providers/whatsapp-cloud/settings.ts';
import { whatsappWebSection } from './providers/whatsapp-web/settings.ts';

const ROLES = ['web', 'worker', 'query'] as const;
type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Each provider's settings lie beside it. Faults of several settings together are told in this order. */
export const PROVIDER_SECTIONS = [
  stripeSection,
  cloudSection,
  whatsappWebSection,
  twilioSection,
  relaySection,
  mailerSection,
  smppSection,
  httpSmsSection,
  receiversSection,
] as const;

const settings = z.object({
  PORT: number('a port number from 0 to 65535', 0, 65535).optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  /** More statements at once than the processors can run make all else wait for one: the event loop above all. */
  DATABASE_POOL: number('a number from 2 to 500', 2, 500).default(Math.min(20, 5 * availableParallelism())),
  PUBLIC_URL: url('http:', 'https:').optional(),
  ...mailerSection.shape,
  ...relaySection.shape,
  CONTACT_EMAIL: z.string().default(''),
  SOURCE_URL: url('http:', 'https:').or(z.literal('')).default(''),
  ...smppSection.shape,
  ...twilioSection.shape,
  ...httpSmsSection.shape,
  /** This worker's name: the next process of the name follows it. Workers with different lanes need different ones. */
  WORKER_NAME: z.string().min(1).max(100).default(hostname()),
  /** Where this worker is, for lanes that only workers of a place can reach. */
  WORKER_PLACE: z.string().max(100).default(''),
  /** What waits in a lane that is down, or defers everything, goes by others after this. */
  FAILOVER_AFTER_SECONDS: number('a number of seconds from 1 to 3600', 1, 3_600).default(30),
  /** The order in which lanes of SMS are preferred. */
  SMS_ROUTE: list.default([]),
  ...cloudSection.shape,
  ...whatsappWebSection.shape,
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, `must be 64 hexadecimal digits, such as ${randomBytes(32).toString('hex')}`)
    .optional(),
  ...stripeSection.shape,
  /** Hong Kong dollars a US dollar: for cards charged in HKD. */
  HKD_PER_USD: z
    .string()
    .regex(/^[1-9]\d{0,2}(\.\d{1,4})?$/, 'must be a decimal such as 7.8')
    .default('7.8'),
  /** Who may register: anyone, those whom an admin has invited, or nobody. */
  REGISTRATION: z.enum(REGISTRATION, `must be one of ${REGISTRATION.join(', ')}`).default('open'),
  /** What real messages need: money that is no test card's, or an admin's word as well. */
  REAL_SENDING: z.enum(REAL_SENDING, `must be one of ${REAL_SENDING.join(', ')}`).default('paid'),
  /** What an account may do in a day, unless an admin gives it limits of its own. */
  SPEND_PER_DAY: number('a number of US dollars from 1 to 1000000', 1, 1_000_000).default(500),
  NEW_COUNTRIES_PER_DAY: number('a number from 1 to 250', 1, 250).default(5),
  ...receiversSection.shape,
  /** Whether data is removed after the periods of the privacy text. */
  RETENTION: z.enum(RETENTION_MODES, `must be one of ${RETENTION_MODES.join(', ')}`).default('on'),
  TRUST_PROXY: list.default([]),
  /** Multiplies every rate limit, for installations behind one address and for load tests. */
  LIMITS_FACTOR: number('a number from 1 to 100000', 1, 100_000).default(1),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  MAILBOX_TOKEN: z
    .string()
    .regex(/^[\w-]{16,}$/, 'must be at least 16 letters, digits, - or _')
    .optional(),
  /** The file of the query tool's zones; without it, the embedded database brings two. */
  QUERY_ZONES: z.string().min(1).optional(),
  /** A MariaDB, with a user who may make databases: the second of the built-in zones is made there. */
  QUERY_MARIADB_URL: url('mysql:').optional(),
  /** Where the query service listens, on this machine only. Chosen by the system where `npm start` starts the service. */
  QUERY_PORT: number('a port number from 0 to 65535', 0, 65535).optional(),
  /** Where a process without the role query finds the service. */
  QUERY_URL: url('http:', 'https:').optional(),
  /** What other programs call the query service with; without it, only ours can. */
  QUERY_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

/** Never repeated in an error message, even if it is faulty. */
const PRIVATE = new Set<string>([
  'DATABASE_URL',
  'SECRET_KEY',
  'METRICS_TOKEN',
  'MAILBOX_TOKEN',
  'QUERY_KEY',
  'QUERY_MARIADB_URL',
  ...PROVIDER_SECTIONS.flatMap(({ secrets }): readonly string[] => secrets),
]);

export interface Config extends z.infer<typeof settings> {
  roles: Role[];
  /** Of the environment, for files that name one instead of a secret. */
  variable: (name: string) => string | undefined;
}

const readRoles = (args: readonly string[], faults: string[]): Role[] => {
  const { values } = parseArgs({ args: [...args], options: { roles: { type: 'string' } }, strict: false });
  if (values.roles === undefined) return [...ROLES];
  const names = String(values.roles).split(',');
  if (names.some((name) => !ROLES.includes(name as Role)))
    faults.push(
      `--roles must name some of ${ROLES.join(', ')}, with commas between (it is ${JSON.stringify(values.roles)})`,
    );
  return ROLES.filter((role) => names.includes(role));
};

/** The only reader of process.env. Empty settings count as not set; all faults are reported together. */
export const readConfig = (
  args: readonly string[] = process.argv.slice(2),
  env: Record<string, string | undefined> = process.env,
): Config => {
  const faults: string[] = [];
  const roles = readRoles(args, faults);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    faults.push(`${name} ${message}${PRIVATE.has(name) ? '' : ` (it is ${JSON.stringify(given[name])})`}`);
  }
  for (const { faultsOf } of PROVIDER_SECTIONS) faults.push(...(faultsOf?.(given, parsed.data) ?? []));
  if (!parsed.success || faults.length > 0) throw new StartFault(`Bad settings: ${faults.join('; ')}.`);
  return { ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR), roles, variable: (name) => given[name] };
};

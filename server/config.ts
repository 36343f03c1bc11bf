import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { RETENTION_MODES } from '../contract/retention.ts';
import { StartFault } from './start-fault.ts';

export const ROLES = ['web', 'worker', 'query'] as const;
export type Role = (typeof ROLES)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
  });
const number = (what: string, min: number, max: number) => {
  const error = `must be ${what}`;
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
};
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const domain = z.string().regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/i, 'must be a domain such as mail.example.com');

const STRIPE = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;

const WHATSAPP_CLOUD = [
  'WHATSAPP_CLOUD_PHONE_NUMBER_ID',
  'WHATSAPP_CLOUD_TOKEN',
  'WHATSAPP_CLOUD_APP_SECRET',
  'WHATSAPP_CLOUD_VERIFY_TOKEN',
  'WHATSAPP_CLOUD_WABA_ID',
] as const;

const sid = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}[0-9a-f]{32}$`, 'i'), `must be ${prefix} and 32 hexadecimal digits`);

const TWILIO = {
  TWILIO_ACCOUNT_SID: sid('AC').optional(),
  TWILIO_AUTH_TOKEN: z.string().min(8, 'must be the auth token of the account').optional(),
  /** Instead of the token, for calls; callbacks are signed with the token all the same. */
  TWILIO_API_KEY: sid('SK').optional(),
  TWILIO_API_SECRET: z.string().min(8, 'must be the secret of the API key').optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +\-_&]{1,11})$/, {
      error: 'must be a number such as +15005550006, a short code or a name of up to 11 letters and digits',
    })
    .optional(),
  TWILIO_MESSAGING_SERVICE_SID: sid('MG').optional(),
  /** Calls at the same time. */
  TWILIO_WINDOW: number('a number from 1 to 500', 1, 500).default(20),
  /** Where Twilio's API is, if not at its own address: for tests. */
  TWILIO_API_BASE: url('http:', 'https:').optional(),
};

/** Some of these without the others can't work. */
const twilioFaults = (given: Record<string, string | undefined>): string[] => {
  const has = (...names: (keyof typeof TWILIO)[]) => names.some((name) => given[name] !== undefined);
  if (!Object.keys(TWILIO).some((name) => given[name] !== undefined)) return [];
  return [
    ...(has('TWILIO_ACCOUNT_SID') && has('TWILIO_AUTH_TOKEN')
      ? []
      : ['TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set, both, for Twilio']),
    ...(has('TWILIO_FROM', 'TWILIO_MESSAGING_SERVICE_SID')
      ? []
      : ['TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID must be set too: Twilio needs a sender']),
    ...(has('TWILIO_API_KEY') === has('TWILIO_API_SECRET')
      ? []
      : ['TWILIO_API_KEY and TWILIO_API_SECRET must be set together']),
  ];
};

const settings = z.object({
  PORT: number('a port number from 0 to 65535', 0, 65535).optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: url('postgres:', 'postgresql:').optional(),
  DATABASE_POOL: number('a number from 2 to 500', 2, 500).default(20),
  PUBLIC_URL: url('http:', 'https:').optional(),
  SMTP_URL: url('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.string().min(3).default('Posthorn <no-reply@localhost>'),
  /** The mail server of the email channel; without it SMTP_URL. */
  EMAIL_SMTP_URL: url('smtp:', 'smtps:').optional(),
  EMAIL_FROM: z.string().min(3).optional(),
  EMAIL_FROM_DOMAINS: list.default([]),
  EMAIL_CONNECTIONS: number('a number from 1 to 100', 1, 100).default(5),
  EMAIL_DKIM_DOMAIN: domain.optional(),
  EMAIL_DKIM_SELECTOR: list.default([]),
  EMAIL_DKIM_KEY_FILE: list.default([]),
  EMAIL_BOUNCE_DOMAIN: domain.optional(),
  EMAIL_BOUNCE_HOST: z.string().min(1).default('0.0.0.0'),
  EMAIL_BOUNCE_PORT: number('a port number from 0 to 65535', 0, 65535).optional(),
  CONTACT_EMAIL: z.string().default(''),
  SOURCE_URL: url('http:', 'https:').or(z.literal('')).default(''),
  /** Message centres: smpp://user:password@host:2775, several with spaces or commas between. */
  SMPP_URLS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter(Boolean))
    .default([]),
  ...TWILIO,
  /** Templates of providers of SMS by HTTP: a JSON file, or a folder of them. */
  HTTP_SMS_PROVIDERS: z.string().min(1).optional(),
  /** The order in which lanes of SMS are preferred. */
  SMS_ROUTE: list.default([]),
  /** Our numbers at Meta's Cloud API by their ids, several separated by commas; of one account and app. */
  WHATSAPP_CLOUD_PHONE_NUMBER_ID: z
    .string()
    .regex(/^\d+(\s*,\s*\d+)*$/, 'must be the ids of phone numbers, which are digits, with commas between')
    .transform((text) => text.split(',').map((id) => id.trim()))
    .optional(),
  WHATSAPP_CLOUD_TOKEN: z.string().min(8, 'must be an access token of Meta').optional(),
  WHATSAPP_CLOUD_APP_SECRET: z.string().min(8, "must be the app's secret").optional(),
  WHATSAPP_CLOUD_VERIFY_TOKEN: z.string().min(8, 'must have at least 8 characters').optional(),
  WHATSAPP_CLOUD_WABA_ID: z.string().regex(/^\d+$/, 'must be digits').optional(),
  /** How many messages a second a number may send, as Meta has granted it. */
  WHATSAPP_CLOUD_PER_SECOND: number('a number from 1 to 1000', 1, 1_000).default(80),
  /** Where Meta's Graph API is, if not at its own address: for tests. */
  WHATSAPP_CLOUD_API_BASE: url('http:', 'https:').optional(),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, `must be 64 hexadecimal digits, such as ${randomBytes(32).toString('hex')}`)
    .optional(),
  STRIPE_SECRET_KEY: z.string().min(8, 'must be a secret key of Stripe').optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().min(8, 'must be a publishable key of Stripe').optional(),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .min(8, 'must be the signing secret of a webhook endpoint of Stripe')
    .optional(),
  /** Where Stripe's API is, if not at its own address: for tests. */
  STRIPE_API_BASE: url('http:', 'https:').optional(),
  /** Hong Kong dollars a US dollar: for cards charged in HKD. */
  HKD_PER_USD: z
    .string()
    .regex(/^[1-9]\d{0,2}(\.\d{1,4})?$/, 'must be a decimal such as 7.8')
    .default('7.8'),
  /** Whether customers' webhooks may be in this machine's own network. */
  WEBHOOKS_ALLOW_PRIVATE: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .transform((text) => text === 'true'),
  /** Whether data is removed after the periods of the privacy text. */
  RETENTION: z.enum(RETENTION_MODES, `must be one of ${RETENTION_MODES.join(', ')}`).default('on'),
  TRUST_PROXY: list.default([]),
  /** Multiplies every rate limit, for installations behind one address and for load tests. */
  LIMITS_FACTOR: number('a number from 1 to 100000', 1, 100_000).default(1),
  METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});

/** Never repeated in an error message, even if it is faulty. */
const PRIVATE = new Set([
  'DATABASE_URL',
  'SMTP_URL',
  'EMAIL_SMTP_URL',
  'SMPP_URLS',
  'SECRET_KEY',
  'METRICS_TOKEN',
  ...STRIPE,
  ...WHATSAPP_CLOUD,
  'TWILIO_AUTH_TOKEN',
  'TWILIO_API_SECRET',
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

const emailFaults = (given: z.infer<typeof settings>): string[] => {
  const { EMAIL_DKIM_DOMAIN: domain, EMAIL_DKIM_SELECTOR: selectors, EMAIL_DKIM_KEY_FILE: files } = given;
  const isSigned = domain !== undefined || selectors.length > 0 || files.length > 0;
  const isWhole = domain !== undefined && selectors.length > 0 && selectors.length === files.length;
  return [
    ...(isSigned && !isWhole
      ? [
          'EMAIL_DKIM_DOMAIN, EMAIL_DKIM_SELECTOR and EMAIL_DKIM_KEY_FILE must be set together, one file a selector',
        ]
      : []),
    ...(given.EMAIL_BOUNCE_PORT !== undefined && given.EMAIL_BOUNCE_DOMAIN === undefined
      ? ['EMAIL_BOUNCE_DOMAIN must be set too: EMAIL_BOUNCE_PORT takes its mail']
      : []),
  ];
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
  for (const [who, names] of [
    ['Stripe', STRIPE],
    ["WhatsApp's Cloud API", WHATSAPP_CLOUD],
  ] as const) {
    const missing = names.filter((name) => given[name] === undefined);
    if (missing.length > 0 && missing.length < names.length)
      faults.push(`${missing.join(' and ')} must be set too: ${who} needs all of ${names.join(', ')}`);
  }
  faults.push(...twilioFaults(given));
  if (parsed.success) faults.push(...emailFaults(parsed.data));
  if (!parsed.success || faults.length > 0) throw new StartFault(`Bad settings: ${faults.join('; ')}.`);
  return { ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR), roles, variable: (name) => given[name] };
};

import { LEAST_FREE_BYTES } from './disk.ts';
import { advice, type Finding, refuse, type SafetyCheck, type SafetyFacts, unsafe } from './safety-check.ts';

const GIGABYTE = 1024 ** 3;
/** Schedules, links in mails and signatures of webhooks go by the clock. */
const MOST_SKEW_MS = 5_000;
/** Above this, limits no longer stop somebody who guesses passwords. */
const MOST_LIMITS_FACTOR = 10;
const OTHERS = 0o077;
const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|)$/i;
const EVERYBODY = /^(0\.0\.0\.0|::)\/0$/;

const addressIn = (sender: string): string => (/<([^<>]*)>/.exec(sender)?.[1] ?? sender).trim().toLowerCase();
const domainIn = (sender: string): string => addressIn(sender).split('@').at(-1) ?? '';

/** Whether the way to the database is another machine's and may be read on it. */
const isBareDatabase = (url: string | undefined): boolean => {
  if (!url) return false;
  const { hostname, searchParams } = new URL(url);
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : 'disable');
  return !LOCAL_HOST.test(hostname) && ['disable', 'allow', 'prefer'].includes(mode);
};

/**
 * What README's list for production asks for, item for item, and in its order. Each looks at settings that may be right
 * alone and unsafe together. To add one: an entry here, its item in README, a line in safety-checks.test.ts.
 */
export const SAFETY_CHECKS: readonly SafetyCheck[] = [
  {
    title: 'Database',
    look: ({ config: { DATABASE_URL: url }, isProduction }) => [
      ...unsafe(
        isProduction && !url,
        "Customers' data is in the embedded database, which is for trying out: on one disk, for one process, without backups.",
        'Set DATABASE_URL to a PostgreSQL that is backed up.',
      ),
      ...unsafe(
        isBareDatabase(url),
        'The database is on another machine, and the way to it is not encrypted.',
        'Add sslmode=verify-full (or require) to DATABASE_URL.',
      ),
    ],
  },
  {
    title: 'Key and backups',
    look: ({ config: { SECRET_KEY: key }, isProduction }) => [
      ...unsafe(
        isProduction && !key,
        'The key that seals API secrets is only in a file of the data folder: if that is lost, every secret is.',
        'Set SECRET_KEY to the content of secret.key in DATA_DIR, and keep it apart from the backups.',
      ),
      ...advice(
        isProduction,
        'Whether backups exist can not be seen from here.',
        'Restore one, as docs/RUNBOOK.md says, before you need it.',
      ),
    ],
  },
  {
    title: 'Public address',
    look: ({ config: { PUBLIC_URL: url }, realChannels, isPublic }) => [
      ...unsafe(
        realChannels.length > 0 && !isPublic,
        'Real messages go out, but PUBLIC_URL is not set or names this machine: links in mails lead nowhere, and providers can not report.',
        'Set PUBLIC_URL to the https address that people use.',
      ),
      ...unsafe(
        isPublic && url?.startsWith('http:') === true,
        'PUBLIC_URL is not https: passwords and API secrets can be read on their way.',
        'Put a proxy with TLS in front, and set PUBLIC_URL to its https address.',
      ),
    ],
  },
  {
    title: 'Proxy',
    look: ({ config: { TRUST_PROXY: proxies, HOST: host, roles }, isPublic }) => [
      ...refuse(
        proxies.some((proxy) => EVERYBODY.test(proxy)),
        'TRUST_PROXY trusts everybody: a stranger could invent the address that limits count by.',
        'Name the addresses of your own proxies only.',
      ),
      ...unsafe(
        isPublic && proxies.length === 0 && roles.includes('web'),
        'TRUST_PROXY is not set: behind a proxy all callers look like one, and a single stranger uses up the limits of everybody.',
        'Set TRUST_PROXY to the addresses of your proxies.',
      ),
      ...advice(
        isPublic && !LOCAL_HOST.test(host),
        `The program listens at ${host}, where it can be reached without the proxy's TLS.`,
        'Let only the proxy reach it, by a firewall or HOST=127.0.0.1.',
      ),
    ],
  },
  {
    title: "The program's own mails",
    look: ({ config: { SMTP_URL: url, MAIL_FROM: from }, isProduction }) => [
      ...unsafe(
        isProduction && !url,
        'SMTP_URL is not set: mails that activate accounts or reset passwords stay in a folder of this machine.',
        'Set SMTP_URL.',
      ),
      ...unsafe(
        url !== undefined && domainIn(from) === 'localhost',
        'MAIL_FROM is an address at localhost, which other mail servers refuse.',
        'Set MAIL_FROM to an address of your domain.',
      ),
    ],
  },
  {
    title: 'Sender of the email channel',
    // That it is another address than MAIL_FROM's is asked for by the lane itself.
    look: ({ config, realChannels }) => {
      const sends = realChannels.includes('email');
      return [
        ...advice(
          sends && config.EMAIL_DKIM_DOMAIN === undefined,
          'Emails are not signed, unless your mail server does it.',
          'Set EMAIL_DKIM_DOMAIN, EMAIL_DKIM_SELECTOR and EMAIL_DKIM_KEY_FILE.',
        ),
        ...advice(
          sends && config.EMAIL_BOUNCE_PORT === undefined,
          'Undeliverable emails do not come back: their messages count as sent.',
          'Set EMAIL_BOUNCE_DOMAIN and EMAIL_BOUNCE_PORT.',
        ),
      ];
    },
  },
  {
    title: 'Cards',
    look: ({ config: { STRIPE_SECRET_KEY: key, STRIPE_API_BASE: base }, realChannels, isProduction }) => [
      ...unsafe(
        realChannels.length > 0 && !key,
        'No card processor is set beside real ways out: the only cards are test cards, which take no money.',
        'Set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
      ),
      ...unsafe(
        realChannels.length > 0 && key !== undefined && /_test_/.test(key),
        "Stripe's keys are for tests, beside real ways out: what customers pay is no money, and pays for simulated messages only.",
        "Set Stripe's live keys.",
      ),
      ...unsafe(
        isProduction && base !== undefined,
        'STRIPE_API_BASE sends payments elsewhere than to Stripe.',
        'Leave it out: it is for tests.',
      ),
    ],
  },
  {
    title: 'Limits',
    look: ({ config: { LIMITS_FACTOR: factor, WEBHOOKS_ALLOW_PRIVATE: isPrivate }, isProduction }) => [
      ...unsafe(
        isProduction && factor > MOST_LIMITS_FACTOR,
        `LIMITS_FACTOR is ${factor}: passwords can be guessed ${factor} times as quickly as intended.`,
        `Leave it out, or set at most ${MOST_LIMITS_FACTOR}.`,
      ),
      ...unsafe(
        isProduction && isPrivate,
        'WEBHOOKS_ALLOW_PRIVATE lets customers make this program call addresses of your own network.',
        'Leave it out.',
      ),
    ],
  },
  {
    title: 'Monitoring',
    look: ({ config: { METRICS_TOKEN: token, LOG_LEVEL: level }, isProduction }) => [
      ...advice(
        isProduction && !token,
        'METRICS_TOKEN is not set: nobody gets the metrics that the alarms go by.',
        'Set METRICS_TOKEN, and scrape /metrics with it.',
      ),
      ...unsafe(
        isProduction && ['silent', 'fatal', 'error'].includes(level),
        `LOG_LEVEL is ${level}: failed sign-ins and warnings leave no trace.`,
        'Set LOG_LEVEL to info or warn.',
      ),
    ],
  },
  {
    title: 'Data folder',
    look: ({ config: { DATA_DIR: folder }, probes, isProduction }) => [
      ...unsafe(
        isProduction && probes.dataDirMode !== undefined && (probes.dataDirMode & OTHERS) !== 0,
        `Other users of this machine can look into ${folder}, where mails, files and the key lie.`,
        `Run chmod 700 ${folder}.`,
      ),
      ...unsafe(
        probes.keyFileMode !== undefined && (probes.keyFileMode & OTHERS) !== 0,
        `Other users of this machine can read ${folder}/secret.key.`,
        `Run chmod 600 ${folder}/secret.key, and replace the API secrets if others use the machine.`,
      ),
      ...unsafe(
        isProduction && probes.freeBytes !== undefined && probes.freeBytes < LEAST_FREE_BYTES,
        `The disk of ${folder} has only ${((probes.freeBytes ?? 0) / GIGABYTE).toFixed(1)} GB left: uploads and journals fail when it is full.`,
        'Make room, or move DATA_DIR.',
      ),
      ...advice(
        isProduction && probes.isRoot,
        'The program runs as root, and needs no rights of root.',
        'Run it as a user of its own.',
      ),
    ],
  },
  {
    title: 'Clock',
    look: ({ probes: { clockAheadMs = 0 } }) =>
      unsafe(
        Math.abs(clockAheadMs) > MOST_SKEW_MS,
        `This machine's clock and the database's differ by ${Math.round(Math.abs(clockAheadMs) / 1_000)} s: schedules, links and signatures go wrong.`,
        'Keep both by NTP.',
      ),
  },
  {
    title: 'What the pages promise',
    look: ({ config: { RETENTION: retention, CONTACT_EMAIL: contact }, isProduction }) => [
      ...unsafe(
        isProduction && retention !== 'on',
        `RETENTION is ${retention}: data stays for longer than the privacy text says.`,
        'Set RETENTION=on.',
      ),
      ...advice(
        isProduction && contact === '',
        'CONTACT_EMAIL is not set: the pages do not say how to reach you.',
        'Set CONTACT_EMAIL, and have the terms and the privacy text checked.',
      ),
    ],
  },
];

/** What the checks find, in their order. Nothing is read or asked here. */
export const examine = (facts: SafetyFacts): Finding[] =>
  SAFETY_CHECKS.flatMap(({ title, look }) => look(facts).map((part) => ({ title, ...part })));

import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '../contract/accounts.ts';
import { CHANNELS } from '../contract/messages.ts';
import { SANDBOX_CARDS } from '../contract/sandbox-cards.ts';
import { SIMULATED_RECIPIENTS } from '../contract/simulator.ts';
import {
  accountTasks,
  findContact,
  findSession,
  isAnonymised,
  openPasswords,
  openSenders,
} from './accounts/index.ts';
import { type Config, readConfig } from './config.ts';
import { keepContacts, noteMeetings } from './contacts/index.ts';
import { openReceiver, type ProviderWebhook, runDelivery } from './delivery/index.ts';
import { makeDemo } from './demo/index.ts';
import { addWeb, buildApp } from './http/app.ts';
import { choosePort, listen, localUrl } from './http/listen.ts';
import { routeTable } from './http/route-table.ts';
import { openLink } from './http-client/index.ts';
import { openInstallation } from './installation.ts';
import { integrationTasks, openCallLog } from './integration/index.ts';
import { inOrder, type LaneDefinition, openLanes, wakeLanes } from './lanes/index.ts';
import { openLimits } from './limits/index.ts';
import type { Log } from './log.ts';
import { mediaTasks, openMediaFiles, wakingFetch } from './media/index.ts';
import { messageTasks } from './messages/index.ts';
import { accountsHaving, findOptedOut, hearReplies } from './opt-outs/index.ts';
import { outboxTasks, releaseTasks, type StoredInbound } from './outbox/index.ts';
import type { Db } from './postgres/index.ts';
import { httpReceivers } from './providers/http-receivers/index.ts';
import {
  httpSmsCarrier,
  httpSmsWebhooks,
  laneNameOf,
  readTemplates,
  type Template,
} from './providers/http-sms/index.ts';
import { mailboxFilesMailer } from './providers/mailbox-files/index.ts';
import { sandboxCards } from './providers/sandbox-cards/index.ts';
import { simulator } from './providers/simulator/index.ts';
import { smppCarrier, smppOptions } from './providers/smpp/index.ts';
import { smtpMailer } from './providers/smtp/index.ts';
import { readDkimKey, relayOptions, smtpRelay } from './providers/smtp-relay/index.ts';
import { stripeCards } from './providers/stripe/index.ts';
import { type TwilioOptions, twilioCarrier, twilioWebhooks } from './providers/twilio/index.ts';
import {
  type CloudSettings,
  cloudCarrier,
  cloudMedia,
  cloudWebhook,
} from './providers/whatsapp-cloud/index.ts';
import { openQueue } from './queue/index.ts';
import { retentionRules, retentionTasks } from './retention/index.ts';
import { say, sayFault } from './say.ts';
import { openSending, readChannels, sendingTasks } from './sending/index.ts';
import { StartFault } from './start-fault.ts';
import { makeUnsubscribeToken } from './unsubscribe-token.ts';
import { uploadTasks } from './uploads/index.ts';
import { type CardProcessor, readLatestProof, walletTasks } from './wallet/index.ts';
import {
  currentSecret,
  eventsOf,
  openKeeper,
  openWebhooks,
  runWebhooks,
  webhookTasks,
} from './webhooks/index.ts';

const DEFAULT_PORT = 3000;
const DRAIN_MS = 10_000;
const SECOND_SIGNAL_MS = 1_000;
const PAGES_FOLDER = fileURLToPath(new URL('../dist/web', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Real cards if Stripe's keys are set (all or none: the settings enforce that), test cards otherwise. */
const cardProcessor = (config: Config, key: Buffer): CardProcessor =>
  config.STRIPE_SECRET_KEY && config.STRIPE_PUBLISHABLE_KEY && config.STRIPE_WEBHOOK_SECRET
    ? stripeCards({
        secretKey: config.STRIPE_SECRET_KEY,
        publishableKey: config.STRIPE_PUBLISHABLE_KEY,
        webhookSecret: config.STRIPE_WEBHOOK_SECRET,
        ...(config.STRIPE_API_BASE && { apiBase: config.STRIPE_API_BASE }),
      })
    : sandboxCards({ key, cards: SANDBOX_CARDS });

const REAL = 100;
/** Simulators come last: they serve the test secret, and everyone if nothing real is set. */
const SIMULATED = 1_000;

/** SMS lanes take over from each other. */
const SMS = 'sms';

const smppLane = (setting: string): LaneDefinition => {
  try {
    const options = smppOptions(setting);
    return {
      name: `smpp-${options.systemId}@${options.host}:${options.port}`,
      channel: 'sms',
      provider: 'smpp',
      simulated: false,
      preference: REAL,
      route: SMS,
      carrier: () => smppCarrier(options),
    };
  } catch (error) {
    throw new StartFault(`Bad settings: SMPP_URLS: ${(error as Error).message}`, { cause: error });
  }
};

/** WhatsApp allows free text to a customer for this long after they last wrote. */
const WHATSAPP_SESSION_HOURS = 24;

/** Our numbers at Meta's Cloud API, by the names of their lanes. */
const cloudNumbersOf = (config: Config): Map<string, CloudSettings> => {
  const { WHATSAPP_CLOUD_PHONE_NUMBER_ID: ids, WHATSAPP_CLOUD_TOKEN: token } = config;
  const shared = {
    token: token ?? '',
    perSecond: config.WHATSAPP_CLOUD_PER_SECOND,
    ...(config.WHATSAPP_CLOUD_API_BASE && { apiBase: config.WHATSAPP_CLOUD_API_BASE }),
  };
  return new Map((ids ?? []).map((id) => [`whatsapp-cloud-${id}`, { ...shared, phoneNumberId: id }]));
};

const cloudLanes = (config: Config): LaneDefinition[] =>
  [...cloudNumbersOf(config)].map(([name, settings]) => ({
    name,
    channel: 'whatsapp',
    provider: 'whatsapp-cloud',
    simulated: false,
    preference: REAL,
    sessionHours: WHATSAPP_SESSION_HOURS,
    waba: config.WHATSAPP_CLOUD_WABA_ID,
    carrier: () => cloudCarrier(settings),
  }));

const cloudWebhooks = (config: Config, log: Log): ProviderWebhook[] => {
  const { WHATSAPP_CLOUD_APP_SECRET: appSecret, WHATSAPP_CLOUD_VERIFY_TOKEN: verifyToken } = config;
  if (!appSecret || !verifyToken) return [];
  const lanes = new Map(
    [...cloudNumbersOf(config)].map(([name, { phoneNumberId }]) => [phoneNumberId, name]),
  );
  return [cloudWebhook({ appSecret, verifyToken, lanes, log })];
};

/** Says which setting is faulty; the text never contains a secret. */
const reading = <T>(setting: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new StartFault(`Bad settings: ${setting}: ${(error as Error).message}`, { cause: error });
  }
};

const TWILIO = 'twilio';

const twilioOptions = (config: Config): TwilioOptions | undefined => {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = config;
  if (!accountSid || !authToken) return undefined;
  return {
    accountSid,
    authToken,
    apiKey:
      config.TWILIO_API_KEY && config.TWILIO_API_SECRET
        ? { sid: config.TWILIO_API_KEY, secret: config.TWILIO_API_SECRET }
        : undefined,
    from: config.TWILIO_FROM,
    messagingServiceSid: config.TWILIO_MESSAGING_SERVICE_SID,
    // Twilio refuses a message whose callback it could not reach.
    statusCallback: callableUrl(config) && `${callableUrl(config)}/api/providers/${TWILIO}/status`,
    apiBase: config.TWILIO_API_BASE,
    window: config.TWILIO_WINDOW,
    openLink,
  };
};

/** What providers can call, if there is a public address. */
const callableUrl = (config: Config): string | undefined => config.PUBLIC_URL?.replace(/\/$/, '');

const twilioLane = (config: Config): LaneDefinition[] => {
  const options = twilioOptions(config);
  const carrier = options && (() => twilioCarrier(options));
  return carrier
    ? [
        {
          name: TWILIO,
          channel: 'sms',
          provider: 'twilio',
          simulated: false,
          preference: REAL,
          route: SMS,
          carrier,
        },
      ]
    : [];
};

const httpTemplates = ({ HTTP_SMS_PROVIDERS: path, variable }: Config): Template[] =>
  path ? reading('HTTP_SMS_PROVIDERS', () => readTemplates({ path, variable })) : [];

const httpSmsLane = (config: Config, template: Template): LaneDefinition => ({
  name: laneNameOf(template),
  channel: 'sms',
  provider: template.name,
  simulated: false,
  preference: REAL,
  route: SMS,
  carrier: () => httpSmsCarrier({ template, publicUrl: callableUrl(config), openLink }),
});

/** The SMS lanes, the preferred first. */
const smsLanes = (config: Config, templates: Template[]): LaneDefinition[] => {
  const lanes = [
    ...config.SMPP_URLS.map(smppLane),
    ...twilioLane(config),
    ...templates.map((template) => httpSmsLane(config, template)),
  ];
  return reading('SMS_ROUTE', () => inOrder(lanes, config.SMS_ROUTE));
};

/** Where providers call us. */
const webhooksOf = (
  config: Config,
  { publicUrl, templates, log }: { publicUrl: string; templates: Template[]; log: Log },
): ProviderWebhook[] => [
  ...cloudWebhooks(config, log),
  ...(config.TWILIO_AUTH_TOKEN
    ? twilioWebhooks({ laneName: TWILIO, authToken: config.TWILIO_AUTH_TOKEN, publicUrl })
    : []),
  ...templates.flatMap((template) => httpSmsWebhooks(template, publicUrl)),
];

/** The email channel's own mail server, or the one for our mails. */
const emailLanes = (config: Config, key: Buffer, publicUrl: string): LaneDefinition[] => {
  const { EMAIL_DKIM_DOMAIN: signedBy, EMAIL_BOUNCE_DOMAIN: bounceDomain } = config;
  const setting = config.EMAIL_SMTP_URL ?? config.SMTP_URL;
  if (!setting) return [];
  const relay = reading(config.EMAIL_SMTP_URL ? 'EMAIL_SMTP_URL' : 'SMTP_URL', () =>
    relayOptions(setting, { connections: config.EMAIL_CONNECTIONS, lenient: !config.EMAIL_SMTP_URL }),
  );
  const dkim = config.EMAIL_DKIM_KEY_FILE.map((file, at) => ({
    domain: signedBy ?? '',
    selector: config.EMAIL_DKIM_SELECTOR[at] ?? '',
    key: reading('EMAIL_DKIM_KEY_FILE', () => readDkimKey(readFileSync(file))),
  }));
  const carrier = () =>
    smtpRelay({
      relay,
      from: config.EMAIL_FROM ?? config.MAIL_FROM,
      fromDomains: config.EMAIL_FROM_DOMAINS.map((domain) => domain.toLowerCase()),
      dkim,
      bounces: bounceDomain
        ? { domain: bounceDomain, key, host: config.EMAIL_BOUNCE_HOST, port: config.EMAIL_BOUNCE_PORT }
        : undefined,
      unsubscribeUrl: ({ accountId, recipient }) =>
        `${publicUrl}/unsubscribe/${makeUnsubscribeToken(key, { accountId, channel: 'email', recipient })}`,
    });
  reading(config.EMAIL_FROM ? 'EMAIL_FROM' : 'MAIL_FROM', carrier);
  const name = `smtp-${relay.user ? `${relay.user}@` : ''}${relay.host}:${relay.port}`;
  return [{ name, channel: 'email', provider: 'smtp', simulated: false, preference: REAL, carrier }];
};

interface LaneFacts {
  key: Buffer;
  publicUrl: string;
  /** Those for SMS. */
  sms: LaneDefinition[];
}

/** Every lane that the settings name. */
const lanesOf = (config: Config, { key, publicUrl, sms }: LaneFacts): LaneDefinition[] => [
  ...sms,
  ...cloudLanes(config),
  ...emailLanes(config, key, publicUrl),
  ...CHANNELS.map((channel) => ({
    name: `simulator-${channel}`,
    channel,
    provider: 'simulator',
    simulated: true,
    preference: SIMULATED,
    carrier: () => simulator({ channel, recipients: SIMULATED_RECIPIENTS }),
  })),
];

/** Starts what the settings ask for; `ending` collects how to undo each step, last first. */
const start = async (ending: AsyncDisposableStack, isStopping: () => boolean): Promise<void> => {
  const config = readConfig();
  const templates = httpTemplates(config);
  // Every process reports faults of these settings, not only those that send.
  const sms = smsLanes(config, templates);
  const web = config.roles.includes('web');
  const worker = config.roles.includes('worker');
  // A process without pages serves its health only if a port is set.
  const address =
    web || config.PORT !== undefined
      ? await choosePort({ host: config.HOST, port: config.PORT ?? DEFAULT_PORT })
      : undefined;
  const publicUrl =
    config.PUBLIC_URL?.replace(/\/$/, '') ?? localUrl(address ?? { host: config.HOST, port: DEFAULT_PORT });

  const installation = await openInstallation(config, { say });
  ending.defer(installation.close);
  const { database, key, log, url } = installation;
  const { db, pool } = database;
  const mailboxFolder = join(config.DATA_DIR, 'mailbox');
  const mailer = config.SMTP_URL
    ? smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM })
    : mailboxFilesMailer({ folder: mailboxFolder, from: config.MAIL_FROM });
  ending.defer(mailer.close);
  const limits = openLimits({ pool, factor: config.LIMITS_FACTOR });
  const queue = await openQueue({ url, worker, onError: (error) => log.error({ err: error }, 'queue') });
  ending.defer(() => queue.stop(DRAIN_MS));
  const receivers = httpReceivers({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE });
  ending.defer(receivers.close);
  const { publish, hasSubscriber, notices, close: closeNotices } = openWebhooks({ db, url, log });
  ending.defer(closeNotices);
  const webhooks = {
    db,
    queue,
    limits,
    secretKey: key,
    receivers,
    contactOf: (accountId: AccountId) => findContact(db, accountId),
  };
  const processor = cardProcessor(config, key);
  const accounts = {
    db,
    queue,
    limits,
    secretKey: key,
    passwords: openPasswords(),
    webhooks: openKeeper({ receivers }),
    processor,
  };
  const wallet = {
    db,
    queue,
    limits,
    processor,
    hkdPerUsd: config.HKD_PER_USD,
    contactOf: (accountId: AccountId) => findContact(db, accountId),
    log,
  };
  const optOuts = { find: findOptedOut, having: accountsHaving };
  const messages = await openSending({ db, queue, wake: wakeLanes, optOuts, publish, hasSubscriber });
  /** STOP opts the sender out, and every sender becomes a contact. */
  const onInbound = async (trx: Db, inbounds: StoredInbound[]): Promise<void> => {
    const replies = inbounds.map(({ from, ...inbound }) => ({ ...inbound, recipient: from }));
    await hearReplies({ db: trx, queue }, replies);
    await noteMeetings(trx, replies);
  };
  const mediaFiles = openMediaFiles(join(config.DATA_DIR, 'media'));
  const mediaSources = new Map(
    [...cloudNumbersOf(config)].map(([name, settings]) => [name, cloudMedia(settings)]),
  );
  const retention = { db, mode: config.RETENTION, rules: retentionRules({ mailboxFolder }), log };
  const tasks = {
    ...accountTasks({ db, mailer, publicUrl: () => publicUrl, log }),
    ...walletTasks({ ...wallet, mailer, publicUrl: () => publicUrl }),
    ...sendingTasks({ db }),
    ...uploadTasks({ db }),
    ...messageTasks({ db }),
    ...releaseTasks(messages),
    ...outboxTasks({ db, log, publish }),
    ...integrationTasks({ db }),
    ...webhookTasks({ ...webhooks, mailer, publicUrl: () => publicUrl, log }),
    ...retentionTasks(retention),
    ...mediaTasks({ db, files: mediaFiles, sources: mediaSources, log }),
    'limits.remove-expired': { cron: '*/10 * * * *', run: limits.removeExpired },
  };
  await queue.declare(tasks);

  const callLog = openCallLog({ db, log });
  ending.defer(callLog.close);

  const app = await buildApp({
    log,
    trustProxy: config.TRUST_PROXY,
    publicUrl,
    metricsToken: config.METRICS_TOKEN,
    gauges: [
      {
        name: 'posthorn_ledger_differences',
        help: 'Wallets whose balance differed from their postings when this was last proven; must be 0',
        read: async () => Number((await readLatestProof(db))?.differences ?? 0),
      },
    ],
    checkReady: async () => {
      if (isStopping()) throw new Error('stopping');
      await pool.query('select 1');
    },
  });
  ending.defer(() => app.close());
  if (web) {
    const guards = {
      findSession: (token: string) => findSession(db, token),
      // Closing an account ends its webhook, and every process is notified of that.
      findSender: openSenders(db, {
        watch: (changed) => notices.hear(({ kind, accountId }) => kind === 'endpoint' && changed(accountId)),
      }),
      limits,
    };
    const receiver = openReceiver({ db, log, onInbound, publish, hasSubscriber });
    await addWeb(app, {
      ...guards,
      rooms: routeTable({
        startup: {
          db,
          contactEmail: config.CONTACT_EMAIL,
          sourceUrl: config.SOURCE_URL,
          mailbox: !config.SMTP_URL,
          channels: () => readChannels(messages),
        },
        accounts,
        wallet,
        messages: { ...messages, connections: config.DATABASE_POOL },
        details: { db, eventsOf: (of) => eventsOf(db, of) },
        optOuts: { db, queue },
        unsubscribe: { db, queue, key, isGone: (accountId) => isAnonymised(db, accountId) },
        contacts: { db },
        delivery: { db, queue },
        providers: {
          receiver: { ...receiver, inbound: wakingFetch(receiver.inbound, queue) },
          webhooks: webhooksOf(config, { publicUrl, templates, log }),
        },
        media: { db, files: mediaFiles },
        exports: { wallet, media: mediaFiles },
        integration: {
          db,
          secretKey: key,
          publicUrl,
          webhookSecretOf: (accountId: AccountId) => currentSecret(webhooks, accountId),
        },
        webhooks,
        retention,
        mailbox: config.SMTP_URL ? undefined : { folder: mailboxFolder },
        uploadsFolder: join(config.DATA_DIR, 'uploads'),
      }),
      pagesFolder: PAGES_FOLDER,
      paymentsHosts: wallet.processor.name === 'stripe',
      version,
      publicUrl,
      callLog,
    });
  }

  const lanes = worker ? await openLanes(db, lanesOf(config, { key, publicUrl, sms })) : [];
  const firstRunFile =
    installation.embedded && (await makeDemo({ accounts, wallet, messages }, config.DATA_DIR));
  if (worker) {
    await queue.work(tasks);
    const contacts = keepContacts({ db, log });
    ending.defer(contacts.stop);
    const delivery = runDelivery({ db, log, url, lanes, onInbound, publish, hasSubscriber });
    ending.defer(() => delivery.stop(DRAIN_MS));
    const telling = runWebhooks({ ...webhooks, notices, log });
    ending.defer(() => telling.stop(DRAIN_MS));
  }
  if (address) await listen(app, address);
  log.info({ roles: config.roles, migrated: installation.migrated }, 'started');
  if (web) say(`ready at ${publicUrl}`);
  else say(`ready (${config.roles.join(', ')})`);
  if (firstRunFile) say(`sign in with the demo accounts of ${relative('.', firstRunFile)}`);
  if (web && !config.SMTP_URL) say(`outgoing mail is kept here: ${publicUrl}/mailbox`);
};

const ending = new AsyncDisposableStack();
let stopping = false;
let stoppingSince = 0;
const stop = async (): Promise<void> => {
  if (stopping) {
    // A second Ctrl-C means: immediately (the embedded database's guard ends it after us). One Ctrl-C arrives several
    // times, from the terminal and passed on by npm, but within a moment.
    if (Date.now() - stoppingSince > SECOND_SIGNAL_MS) process.exit(1);
    return;
  }
  stopping = true;
  stoppingSince = Date.now();
  await ending.disposeAsync();
  say('stopped');
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

try {
  await start(ending, () => stopping);
} catch (error) {
  if (!stopping) {
    sayFault(error);
    await ending.disposeAsync();
    process.exit(1);
  }
}

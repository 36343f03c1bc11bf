import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { AccountId } from '../../contract/customer/accounts.ts';
import {
  findContact,
  findSession,
  findUnknownAccount,
  isAnonymised,
  openSenderSearch,
  readRole,
} from '../customer/accounts/index.ts';
import { openSwitchboard } from '../fleet/agents/index.ts';
import { readHold } from '../fleet/devices/index.ts';
import { readPhoneHosts } from '../fleet/phones/index.ts';
import { openHttpClient } from '../ground/http-client/index.ts';
import type { LoopDelay } from '../ground/limits/index.ts';
import { addWeb } from '../http/app.ts';
import { isLocalUrl } from '../http/defence/request-origin.ts';
import { type RoomDeps, routeTable } from '../http/route-table.ts';
import { openAudit } from '../office/audit/index.ts';
import { JOBS_PATH } from '../office/job-dashboard/index.ts';
import { openQueryLink } from '../office/query/index.ts';
import { pgBossDashboard } from '../providers/pg-boss-dashboard/index.ts';
import { openReceiver } from '../traffic/delivery/index.ts';
import { readLanes } from '../traffic/lanes/index.ts';
import { countWaitingIn } from '../traffic/outbox/index.ts';
import { readChannels } from '../traffic/sending/index.ts';
import { currentSecret, listMessageEvents } from '../traffic/webhooks/index.ts';
import { isDiskLow } from './disk.ts';
import { webhooksOf } from './lanes.ts';
import { queryKeyOf } from './query.ts';
import type { Rooms } from './rooms.ts';
import type { Setup } from './setup.ts';

const PAGES_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

const guardsOf = ({ db, notices, limits, mailboxToken }: Rooms) => ({
  findSession: (token: string) => findSession(db, token),
  roleOf: (accountId: AccountId) => readRole(db, accountId),
  // Closing an account ends its webhook, and every process is notified of that.
  findSender: openSenderSearch(db, {
    watch: (changed) => notices.hear(({ kind, accountId }) => kind === 'endpoint' && changed(accountId)),
  }),
  limits,
  mailboxToken,
  audit: openAudit(db),
});

const roomDepsOf = (
  { config, publicUrl, sms, ending, installation }: Setup,
  rooms: Rooms,
  queryUrl: () => Promise<string | undefined>,
): RoomDeps => {
  const { db, log, queue, key, accounts, wallet, sending, media, webhooks, retention } = rooms;
  const { onInbound } = rooms;
  const link = openQueryLink({ url: queryUrl, key: queryKeyOf(config, key), openHttpClient });
  ending.defer(async () => link.close());
  const jobDashboard = pgBossDashboard({ url: installation.url, basePath: JOBS_PATH });
  ending.defer(jobDashboard.close);
  const receiver = openReceiver({ db, log, onInbound, publisher: rooms });
  const agents = { db, limits: rooms.limits, phones: rooms.phones, receiver, publisher: rooms, publicUrl };
  const switchboard = openSwitchboard({ ...agents, url: installation.url, log });
  ending.defer(switchboard.close);
  return {
    db,
    startup: {
      db,
      contactEmail: config.CONTACT_EMAIL,
      sourceUrl: config.SOURCE_URL,
      // The page is for whoever runs the program on their own machine.
      mailbox: !config.SMTP_URL && isLocalUrl(publicUrl),
      registration: config.REGISTRATION,
      channels: () => readChannels(sending),
      smsCountries: () => sending.prices.countries('sms'),
    },
    accounts,
    wallet,
    billing: wallet,
    sending,
    uploads: sending,
    messages: { db, readPhoneHosts, connections: config.DATABASE_POOL },
    details: {
      db,
      readPhoneHosts,
      eventsOf: (of) => listMessageEvents(db, of),
      holdOf: (laneId) => readHold(rooms.devices, laneId),
    },
    optOuts: { db, queue },
    unsubscribe: { db, queue, key, isGone: (accountId) => isAnonymised(db, accountId) },
    contacts: { db },
    outbox: { db, queue, publish: rooms.publish },
    providers: {
      receiver,
      webhooks: [...webhooksOf(config, { sms, publicUrl, log }), rooms.madeLanes.webhook],
    },
    media: { db, files: media.files },
    prices: { db, readLanes },
    exports: { profile: accounts, wallet, media: media.files },
    integration: {
      db,
      secretKey: key,
      publicUrl,
      webhookSecretOf: (accountId: AccountId) => currentSecret(webhooks, accountId),
    },
    webhooks,
    retention,
    senders: rooms.senders,
    customers: { db, queue, rules: sending.rules },
    payments: { accounts, wallet },
    bulkActions: { db, queue, publish: rooms.publish },
    lanes: {
      db,
      secretKey: key,
      providers: rooms.laneProviders,
      countWaiting: (laneIds, limit) => countWaitingIn(db, laneIds, limit, { suspended: true }),
      findUnknownAccount,
    },
    query: { db, link, emailOf: async (accountId) => (await findContact(db, accountId))?.email },
    phones: rooms.phones,
    jobs: { db, dashboard: jobDashboard },
    overview: { db, retention, isDiskLow: () => isDiskLow(config.DATA_DIR) },
    devices: rooms.devices,
    agents: { db, publicUrl, phones: rooms.phones, switchboard },
    mailbox: config.SMTP_URL ? undefined : { folder: rooms.mailboxFolder },
    uploadsFolder: join(config.DATA_DIR, 'uploads'),
  };
};

/** The role web: pages, calls, files, and what providers call. */
export const addWebRole = (
  { app, loop }: { app: FastifyInstance; loop: LoopDelay },
  setup: Setup,
  rooms: Rooms,
  queryUrl: () => Promise<string | undefined>,
): Promise<void> =>
  addWeb(app, {
    ...guardsOf(rooms),
    rooms: routeTable(roomDepsOf(setup, rooms, queryUrl)),
    pagesFolder: PAGES_FOLDER,
    paymentsHosts: rooms.processor.name !== 'sandbox',
    version,
    publicUrl: setup.publicUrl,
    callLog: rooms.callLog,
    loop,
  });

import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '../contract/customer/accounts.ts';
import { SIMULATED_RECIPIENTS } from '../contract/traffic/simulator.ts';
import {
  createAccount,
  findContact,
  openPasswords,
  openSenderSearch,
  readSecrets,
} from '../server/customer/accounts/index.ts';
import { openCallLog } from '../server/customer/integration/index.ts';
import { accountsHaving, findOptedOut } from '../server/customer/opt-outs/index.ts';
import { adjust } from '../server/customer/wallet/index.ts';
import { openOwnDevices } from '../server/fleet/devices/index.ts';
import { startEmbedded } from '../server/ground/embedded-postgres/index.ts';
import { openLimits } from '../server/ground/limits/index.ts';
import { openLog } from '../server/ground/log/index.ts';
import { type Database, migrate, openDatabase } from '../server/ground/postgres/index.ts';
import { buildApp, recordCalls, registerRoutes } from '../server/http/index.ts';
import { simulator } from '../server/providers/simulator/index.ts';
import { newWorker, openLanes, wakeLanes } from '../server/traffic/lanes/index.ts';
import { statusRoutes } from '../server/traffic/messages/index.ts';
import { openSending, sendingRoutes } from '../server/traffic/sending/index.ts';
import type { Round, Sent } from './api-calls-client.ts';
import type { Definition } from './definition.ts';

const CLIENT = fileURLToPath(new URL('./api-calls-client.ts', import.meta.url));
const CONCURRENCY = 64;
const ACCOUNTS = 200;
const DOLLARS = 9_000;

const openAccounts = async ({ db }: Database, count: number): Promise<string[]> => {
  const secretKey = randomBytes(32);
  const deps = { db, passwords: openPasswords(), secretKey };
  const walletDeps = {
    db,
    queue: { send: async () => {} },
    contactOf: (id: AccountId) => findContact(db, id),
  };
  const secrets: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const accountId = await createAccount(deps, {
      email: `bench-${at}@example.com`,
      password: randomBytes(12).toString('hex'),
      admin: false,
      active: true,
      language: 'en_US',
    });
    if (!accountId) throw new Error('no account was made');
    const money = { accountId, reason: 'bench', by: accountId, idempotencyKey: undefined };
    await adjust(walletDeps, { ...money, amount: DOLLARS });
    secrets.push((await readSecrets(deps, accountId)).secret);
  }
  return secrets;
};

/** The web role's path from a request to its answer, with the log of calls or without it. */
const openWeb = async ({ db, pool }: Database, { logged }: { logged: boolean }) => {
  const log = openLog({ level: 'warn' });
  const app = await buildApp({
    log,
    trustProxy: [],
    publicUrl: 'http://127.0.0.1:3000',
    metricsToken: undefined,
    gauges: [],
    checkReady: async () => {},
  });
  const callLog = openCallLog({ db, log });
  if (logged) recordCalls(app, callLog);
  const messages = await openSending({
    devices: openOwnDevices({ db }),
    db,
    queue: { send: async () => {} },
    wake: wakeLanes,
    optOuts: { find: findOptedOut, having: accountsHaving },
  });
  registerRoutes(
    app,
    [
      { guard: 'sender', routes: sendingRoutes(messages) },
      { guard: 'sender', routes: statusRoutes(messages) },
    ],
    {
      findSession: async () => undefined,
      findSender: openSenderSearch(db),
      limits: openLimits({ pool, factor: 1000 }),
    },
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  return {
    port,
    close: async () => {
      await app.close();
      await callLog.close();
    },
  };
};

const openClient = async () => {
  const child = fork(CLIENT, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  return {
    run: async (round: Round): Promise<Sent> => {
      child.send(round);
      const [answer] = await once(child, 'message');
      return answer as Sent;
    },
    close: () => child.disconnect(),
  };
};

interface Measured {
  perSecond: number;
  /** CPU of this process, which serves: it does not depend on what else the machine does. */
  cpuMicros: number;
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What the log of calls costs senders: rounds with and without it are interleaved. */
const definition: Definition = {
  title: 'Single sends with and without the log of API calls',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-api-calls-'));
    const embedded = await startEmbedded({ dataDir, say: () => {} });
    await using ending = new AsyncDisposableStack();
    ending.defer(() => rm(dataDir, { recursive: true, force: true }));
    ending.defer(embedded.stop);
    await migrate(embedded.url);
    const database = openDatabase({ url: embedded.url, max: 20, onError: () => {} });
    ending.defer(database.close);
    await openLanes(database.db, newWorker('bench'), [
      {
        name: 'bench',
        channel: 'sms',
        provider: 'simulator',
        simulated: false,
        preference: 1,
        carrier: () => simulator({ channel: 'sms', recipients: SIMULATED_RECIPIENTS }),
      },
    ]);
    const secrets = await openAccounts(database, quick ? 3 : ACCOUNTS);
    const [plain, logged] = [
      await openWeb(database, { logged: false }),
      await openWeb(database, { logged: true }),
    ];
    ending.defer(plain.close);
    ending.defer(logged.close);
    const client = await openClient();
    ending.defer(async () => client.close());
    const durationMs = quick ? 200 : 3_000;
    const rows: Record<string, string | number>[] = [];
    const figures: Record<string, number> = {};
    for (const [who, theirs] of [
      ['one', secrets.slice(0, 1)],
      ['many', secrets],
    ] as const) {
      const round = async (port: number) => {
        const before = process.cpuUsage();
        const asked = { port, secrets: theirs, concurrency: CONCURRENCY, durationMs };
        const { sent, perSecond } = await client.run(asked);
        const { user, system } = process.cpuUsage(before);
        return { perSecond, cpuMicros: (user + system) / sent };
      };
      await round(plain.port);
      await round(logged.port);
      const found: { without: Measured; with: Measured }[] = [];
      for (let at = 0; at < (quick ? 1 : 9); at += 1)
        found.push({ without: await round(plain.port), with: await round(logged.port) });
      const of = (which: 'without' | 'with', what: keyof Measured) =>
        Math.round(median(found.map((one) => one[which][what])));
      const lossPercent = 100 * (1 - median(found.map((one) => one.with.perSecond / one.without.perSecond)));
      rows.push({
        accounts: theirs.length,
        'without (messages/s)': of('without', 'perSecond'),
        'with (messages/s)': of('with', 'perSecond'),
        'cost (%, median of the pairs)': lossPercent,
        'CPU of the web role without (µs/message)': of('without', 'cpuMicros'),
        'with (µs/message)': of('with', 'cpuMicros'),
      });
      figures[`${who}LossPercent`] = lossPercent;
    }
    return {
      rows,
      figures,
      bars: [
        { figure: 'oneLossPercent', max: 5 },
        { figure: 'manyLossPercent', max: 5 },
      ],
    };
  },
};
export default definition;

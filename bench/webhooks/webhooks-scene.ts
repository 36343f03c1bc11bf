import { type ChildProcess, fork } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { AccountId } from '../../contract/customer/accounts.ts';
import { SIMULATED_RECIPIENTS } from '../../contract/traffic/simulator.ts';
import {
  changeSetting,
  createAccount,
  findContact,
  openPasswords,
} from '../../server/customer/accounts/index.ts';
import { accountsHaving, findOptedOut } from '../../server/customer/opt-outs/index.ts';
import { adjust } from '../../server/customer/wallet/index.ts';
import { openOwnDevices } from '../../server/fleet/devices/index.ts';
import { startEmbedded } from '../../server/ground/embedded-postgres/index.ts';
import { openHttpClient } from '../../server/ground/http-client/index.ts';
import { migrate, openDatabase } from '../../server/ground/postgres/index.ts';
import { httpReceivers } from '../../server/providers/http-receivers/index.ts';
import { simulator } from '../../server/providers/simulator/index.ts';
import { newWorker, openLanes } from '../../server/traffic/lanes/index.ts';
import { accept, openSending, prepare, readTerms } from '../../server/traffic/sending/index.ts';
import { openKeeper, openSecrets, openWebhooks, withSecret } from '../../server/traffic/webhooks/index.ts';
import { BEHAVIOURS, type Received, startReceiver } from '../../test/emulators/webhook-receiver.ts';
import type { WorkerOptions } from './webhooks-worker.ts';

const WORKER = fileURLToPath(new URL('./webhooks-worker.ts', import.meta.url));
/** Far shorter than in production, so that a proof with kills ends in reasonable time. */
const LEASE_MS = 2_000;
const DOLLARS = 9_000;
const CHUNK = 1_000;
export type Manner = Exclude<keyof typeof BEHAVIOURS, 'gone' | 'busy' | 'endless' | 'trickle'>;

const openWorker = async (options: WorkerOptions) => {
  const start = async (): Promise<ChildProcess> => {
    const next = fork(WORKER, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await Promise.race([once(next, 'message'), once(next, 'exit')]);
    return next;
  };
  let child = await start();
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    kill: async (): Promise<void> => {
      await end('SIGKILL');
      child = await start();
    },
    stop: () => end('SIGTERM'),
  };
};

/** As a receiver verifies it, following Standard Webhooks. */
const isSigned = ({ id, timestamp, signature, body }: Received, secret: string): boolean => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return (
    signature === `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  );
};

/** A database, receivers of every behaviour on sockets of this machine, and accounts whose events go to them. */
export const openScene = async (dataDir: string) => {
  const embedded = await startEmbedded({ dataDir, say: () => {} });
  await migrate(embedded.url);
  const { db, close } = openDatabase({ url: embedded.url, max: 5, onError: () => {} });
  const secretKey = randomBytes(32);
  const receivers = httpReceivers({ allowPrivate: true, openHttpClient });
  const log = { warn: () => {} };
  const webhooks = openWebhooks({ db, url: embedded.url, log });
  const queue = { send: async () => {} };
  await openLanes(db, newWorker('bench'), [
    {
      name: 'proof',
      channel: 'sms',
      provider: 'simulator',
      simulated: true,
      preference: 1,
      carrier: () => simulator({ channel: 'sms', recipients: SIMULATED_RECIPIENTS }),
    },
  ]);
  const optOuts = { find: findOptedOut, having: accountsHaving };
  const messages = await openSending({
    devices: openOwnDevices({ db }),
    db,
    queue,
    wake: async () => {},
    optOuts,
    publisher: webhooks,
  });
  const deps = { db, queue, contactOf: (id: AccountId) => findContact(db, id) };
  const passwords = openPasswords();

  /** An account whose events go to its own receiver. */
  const addCustomer = async (manner: Manner) => {
    const receiver = await startReceiver(BEHAVIOURS[manner]);
    const accountId = await createAccount(
      { db, passwords, secretKey },
      {
        email: `proof-${randomBytes(6).toString('hex')}@example.com`,
        password: randomBytes(12).toString('hex'),
        admin: false,
        active: true,
        language: 'en_US',
      },
    );
    if (!accountId) throw new Error('no account was made');
    await adjust(deps, {
      accountId,
      amount: DOLLARS,
      reason: 'for the proof',
      by: accountId,
      idempotencyKey: undefined,
    });
    await changeSetting({ db, webhooks: openKeeper({ receivers }) }, accountId, { webhook: receiver.url });
    const [secret = ''] = openSecrets(
      { secretKey },
      accountId,
      await withSecret({ db, secretKey }, accountId),
    );
    return { accountId, manner, receiver, isSigned: (one: Received) => isSigned(one, secret) };
  };
  type Customer = Awaited<ReturnType<typeof addCustomer>>;

  /** A file of messages, accepted by the program itself: each is an event. */
  const acceptAll = async ({ accountId }: Customer, count: number): Promise<void> => {
    const terms = await readTerms(messages, { accountId, channel: 'sms', test: false });
    const prepared = Array.from({ length: count }, (_, at) =>
      prepare(terms, { recipientRaw: `+8526${String(1_000_000 + at)}`, message: 'hello' }),
    );
    const chunks = Array.from({ length: Math.ceil(count / CHUNK) }, (_, at) =>
      prepared.slice(at * CHUNK, (at + 1) * CHUNK),
    );
    await accept(messages, { accountId, channel: 'sms', kind: 'CSV', terms, chunks });
  };
  const idsOf = async ({ accountId }: Customer): Promise<string[]> => {
    const { rows } = await sql<{ id: string }>`
      select 'evt_' || id as id from webhook_all_events where account_id = ${accountId}`.execute(db);
    return rows.map(({ id }) => id);
  };

  return {
    addCustomer,
    acceptAll,
    idsOf,
    openWorker: () =>
      openWorker({ databaseUrl: embedded.url, secretKey: secretKey.toString('hex'), leaseMs: LEASE_MS }),
    close: async () => {
      receivers.close();
      await webhooks.close();
      await close();
      await embedded.stop();
    },
  };
};
export type Scene = Awaited<ReturnType<typeof openScene>>;
export type Customer = Awaited<ReturnType<Scene['addCustomer']>>;

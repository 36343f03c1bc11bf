import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '../contract/accounts.ts';
import { createAccount, findContact, openPasswords } from '../server/accounts/index.ts';
import { openLanes, wakeLanes } from '../server/delivery/index.ts';
import { openMessages } from '../server/messages/index.ts';
import { accountsHaving, findOptedOut } from '../server/opt-outs/index.ts';
import { readPidFile } from '../server/postgres/embedded-pid.ts';
import { migrate, openDatabase, startEmbedded } from '../server/postgres/index.ts';
import { smppCarrier, smppOptions } from '../server/providers/smpp/index.ts';
import { adjust } from '../server/wallet/adjust.ts';
import { type Smsc, startSmsc, USUAL_RECEIPTS } from '../test/emulators/smsc.ts';
import type { WorkerOptions } from './sending-worker.ts';

const WORKER = fileURLToPath(new URL('./sending-worker.ts', import.meta.url));
/** Far shorter than in earnest, so that a proof of many kills ends today. */
const LEASE_MS = 1_500;
const ANSWER_MS = 2_000;
export const DOLLARS = 9_000;

/** A message centre that can be killed and keeps its count through that. */
const openCentre = async (window: number) => {
  const taken = new Map<string, number>();
  const start = (port?: number): Promise<Smsc> =>
    startSmsc({
      ...(port !== undefined && { port }),
      behaviour: { latencyMs: 2, receipts: { ...USUAL_RECEIPTS, delayMs: 20 } },
    });
  let smsc = await start();
  const { port } = smsc;
  const url = smsc.url({ binds: 2, window, timeoutMs: ANSWER_MS });
  const keep = (): void => {
    for (const [key, times] of smsc.all()) taken.set(key, (taken.get(key) ?? 0) + times);
    smsc.reset();
  };
  return {
    url,
    kill: async (): Promise<void> => {
      await smsc.close();
      keep();
      await sleep(200);
      smsc = await start(port);
    },
    /** By digits and text. */
    taken: (): Map<string, number> => {
      keep();
      return taken;
    },
    close: () => smsc.close(),
  };
};

/** A worker that is replaced when it is killed. */
const openWorker = async (options: WorkerOptions) => {
  const start = async (): Promise<ChildProcess> => {
    const next = fork(WORKER, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await Promise.race([once(next, 'message'), once(next, 'exit')]);
    return next;
  };
  let child = await start();
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    kill: async (): Promise<void> => {
      await end('SIGKILL');
      child = await start();
    },
    /** A worker that could not start, as when the database was just away, is started again. */
    revive: async (): Promise<void> => {
      if (child.exitCode !== null || child.signalCode !== null) child = await start();
    },
    stop: () => end('SIGTERM'),
  };
};

const killDatabase = async (dataDir: string): Promise<void> => {
  const names = await readdir(dataDir, { recursive: true });
  const file = names.find((name) => name.endsWith('postmaster.pid'));
  const running = file && (await readPidFile(join(dataDir, file, '..')));
  if (running) process.kill(running.pid, 'SIGKILL');
};

/** Tries until the database is back. */
export const insist = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let tries = 0; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (tries > 150) throw error;
      await sleep(200);
    }
};

/** A database, a message centre, a worker and an account with money. */
export const openScene = async (dataDir: string, { window }: { window: number }) => {
  const embedded = await startEmbedded({ dataDir, say: () => {} });
  await migrate(embedded.url);
  const { db, close } = openDatabase({ url: embedded.url, max: 5, onError: () => {} });
  const centre = await openCentre(window);
  const definition = {
    name: 'proof',
    channel: 'sms' as const,
    provider: 'smpp',
    simulated: false,
    preference: 1,
    carrier: () => smppCarrier(smppOptions(centre.url)),
  };
  await openLanes(db, [definition]);
  const queue = { send: async () => {} };
  const till = { db, queue, contactOf: (id: AccountId) => findContact(db, id) };
  const accountId = await createAccount(
    { db, passwords: openPasswords(), secretKey: randomBytes(32) },
    {
      email: 'proof@example.com',
      password: randomBytes(12).toString('hex'),
      admin: false,
      active: true,
      language: 'en_US',
    },
  );
  if (!accountId) throw new Error('no account was made');
  const money = { accountId, reason: 'for the proof', by: accountId, idempotencyKey: undefined };
  await adjust(till, { ...money, amount: DOLLARS });
  return {
    db,
    accountId,
    centre,
    messages: await openMessages({
      db,
      queue,
      wake: wakeLanes,
      optOuts: { find: findOptedOut, having: accountsHaving },
    }),
    openWorker: () => openWorker({ databaseUrl: embedded.url, smppUrl: centre.url, leaseMs: LEASE_MS }),
    killDatabase: () => killDatabase(dataDir),
    refill: () => adjust(till, { ...money, amount: DOLLARS }),
    close: async () => {
      await centre.close();
      await close();
      await embedded.stop();
    },
  };
};
export type Scene = Awaited<ReturnType<typeof openScene>>;

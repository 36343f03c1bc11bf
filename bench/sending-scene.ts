import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AccountId } from '../contract/accounts.ts';
import { createAccount, findContact, openPasswords } from '../server/accounts/index.ts';
import { newWorker, openLanes, wakeLanes } from '../server/lanes/index.ts';
import { accountsHaving, findOptedOut } from '../server/opt-outs/index.ts';
import { migrate, openDatabase, readPidFile, startEmbedded } from '../server/postgres/index.ts';
import { smppCarrier, smppOptions } from '../server/providers/smpp/index.ts';
import { openSending } from '../server/sending/index.ts';
import { adjust } from '../server/wallet/index.ts';
import { startCentre } from './centre.ts';
import type { WorkerOptions } from './sending-worker.ts';

const WORKER = fileURLToPath(new URL('./sending-worker.ts', import.meta.url));
/** Far shorter than in production, so that a proof with many kills ends in reasonable time. */
const LEASE_MS = 1_500;
const ANSWER_MS = 2_000;
const DOLLARS = 9_000;

/** A message centre that is killed with `kill -9`; it writes each message to a file before it answers. */
const openCentre = async (folder: string, window: number) => {
  const record = join(folder, 'taken');
  const args = ['--totals', '--magic', '--latency', '2', '--receipts', '20', '--record', record];
  let centre = await startCentre(args);
  const { port } = centre;
  return {
    url: centre.url({ binds: 2, window, timeoutMs: ANSWER_MS }),
    kill: async (): Promise<void> => {
      await centre.kill();
      await sleep(200);
      centre = await startCentre([...args, '--port', String(port)]);
    },
    /** By digits and text. */
    taken: async (): Promise<Map<string, number>> => {
      const taken = new Map<string, number>();
      for (const line of (await readFile(record, 'utf8')).split('\n')) {
        // The last line of a killed process may be incomplete: it had not answered then.
        if (!line.endsWith('"')) continue;
        const key = JSON.parse(line) as string;
        taken.set(key, (taken.get(key) ?? 0) + 1);
      }
      return taken;
    },
    close: () => centre.kill(),
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
    /** A worker that could not start, for example because the database did not answer, is started again. */
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

/** Retries until the database is back. */
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
  const centre = await openCentre(dataDir, window);
  const definition = {
    name: 'proof',
    channel: 'sms' as const,
    provider: 'smpp',
    simulated: false,
    preference: 1,
    carrier: () => smppCarrier(smppOptions(centre.url)),
  };
  await openLanes(db, newWorker('bench'), [definition]);
  const queue = { send: async () => {} };
  const deps = { db, queue, contactOf: (id: AccountId) => findContact(db, id) };
  const passwords = openPasswords();
  const customerWith = async (dollars: number): Promise<AccountId> => {
    const mark = randomBytes(8).toString('hex');
    const made = await createAccount(
      { db, passwords, secretKey: randomBytes(32) },
      { email: `${mark}@example.com`, password: mark, admin: false, active: true, language: 'en_US' },
    );
    if (!made) throw new Error('no account was made');
    const money = { accountId: made, reason: 'for the proof', by: made, idempotencyKey: undefined };
    await adjust(deps, { ...money, amount: dollars });
    return made;
  };
  const accountId = await customerWith(DOLLARS);
  const money = { accountId, reason: 'for the proof', by: accountId, idempotencyKey: undefined };
  return {
    db,
    databaseUrl: embedded.url,
    accountId,
    centre,
    /** A customer with exactly this much money. */
    customerWith,
    messages: await openSending({
      db,
      queue,
      wake: wakeLanes,
      optOuts: { find: findOptedOut, having: accountsHaving },
    }),
    openWorker: () => openWorker({ databaseUrl: embedded.url, smppUrl: centre.url, leaseMs: LEASE_MS }),
    killDatabase: () => killDatabase(dataDir),
    refill: () => adjust(deps, { ...money, amount: DOLLARS }),
    close: async () => {
      await centre.close();
      await close();
      await embedded.stop();
    },
  };
};
export type Scene = Awaited<ReturnType<typeof openScene>>;

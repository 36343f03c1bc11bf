import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { MAILBOX_TOKEN } from '../../test/api.ts';
import { listenOn } from '../../test/emulators/listen-on.ts';
import type { Program } from '../../test/program.ts';
import type { FuzzAccount, FuzzFault, FuzzOptions, FuzzResult } from '../fuzz/fuzz-scene.ts';
import { signIn } from '../load/sign-in.ts';
import type { Customer, Posthorn } from '../posthorn.ts';
import { changeAccount } from '../sending/sending-stage.ts';
import { startEventSink } from '../webhooks/event-sink.ts';
import type { BystanderOptions, BystanderReport } from './bystander.ts';

const BYSTANDER = fileURLToPath(new URL('./bystander.ts', import.meta.url));
const FUZZER = fileURLToPath(new URL('../fuzz/fuzz-client.ts', import.meta.url));
/** Messages a second: what a busy but usual customer sends one by one. */
const PACE = 50;
/** How many of each kind, by the number of requests: every account takes a while to make. */
const ACCOUNTS = [
  { from: 50_000, mains: 6, signers: 4, closing: 30 },
  { from: 1, mains: 2, signers: 2, closing: 2 },
  { from: 0, mains: 1, signers: 1, closing: 0 },
] as const;

/** What a part of the proof is given; each starts the program with settings of its own. */
export interface AbusePart {
  posthorn: Posthorn;
  folder: string;
  quick: boolean;
  /** Of requests that are made up. */
  size: number | undefined;
}

/** In a session of its own: where the system shares processors among sessions, the good do not wait for the hostile. */
const openChild = (file: string, options: object): ChildProcess =>
  fork(file, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });

interface Bystander {
  /** What was seen before anybody was hostile. */
  alone: BystanderReport;
  /** What was seen since the last report. */
  report: () => Promise<BystanderReport>;
  /** How many events the good customer was told so far. */
  countEvents: () => Promise<number>;
  stop: () => Promise<void>;
}

/** A good customer as in production, with a webhook that answers and a key for each call, and a health check. */
export const openBystander = async (
  posthorn: Posthorn,
  { url }: Program,
  { warmUpMs, aloneMs }: { warmUpMs: number; aloneMs: number },
): Promise<Bystander> => {
  const [good] = await posthorn.customers(1);
  if (!good) throw new Error('no customer');
  const sink = await startEventSink();
  await changeAccount(url, good, { path: 'setting', body: { webhook: sink.url } });
  const options: BystanderOptions = { url, secret: good.secret, pace: PACE };
  const child = openChild(BYSTANDER, options);
  const report = async (): Promise<BystanderReport> => {
    const answer = once(child, 'message') as Promise<[BystanderReport]>;
    child.send({});
    return (await answer)[0];
  };
  await sleep(warmUpMs);
  await report();
  await sleep(aloneMs);
  return {
    alone: await report(),
    report,
    countEvents: async () => (await sink.until(0, 0)).events,
    stop: async () => {
      child.disconnect();
      await sink.close();
    },
  };
};

interface Listener {
  onProgress: (requests: number) => void;
  onFault: (fault: FuzzFault) => void;
}

/** Runs the fuzzer in its own process until it ends, and passes on how far it has got and what it finds. */
export const runFuzzer = async (
  options: FuzzOptions,
  { onProgress, onFault }: Listener,
): Promise<FuzzResult> => {
  const child = openChild(FUZZER, options);
  return new Promise((resolve, reject) => {
    child.on('message', (told: { requests?: number; fault?: FuzzFault; result?: FuzzResult }) => {
      if (told.result) resolve(told.result);
      else if (told.fault) onFault(told.fault);
      else onProgress(told.requests ?? 0);
    });
    child.once('exit', () => reject(new Error('the fuzzer ended without a result')));
  });
};

export const signedIn = async (url: string, customer: Customer): Promise<FuzzAccount> => {
  const { token = '' } = await signIn(url, customer);
  const answer = await fetch(`${url}/api/account/${customer.accountId}/apiInfo`, {
    headers: { authorization: token },
  });
  const { testSecret } = (await answer.json()) as { testSecret: string };
  return { ...customer, token, testSecret };
};

/** Accounts for everything that the fuzzer does, and a receiver of events. */
export const openFuzzOptions = async (
  posthorn: Posthorn,
  program: Program,
  limits: Pick<FuzzOptions, 'requests' | 'seconds' | 'clients' | 'seed'>,
): Promise<FuzzOptions & { close: () => void }> => {
  const { url } = program;
  const many = ACCOUNTS.find(({ from }) => limits.requests >= from) ?? ACCOUNTS[2];
  const open = async (count: number, refills = 0): Promise<FuzzAccount[]> => {
    const made = await posthorn.customers(count, 100);
    for (const customer of made) await posthorn.refill(customer, refills);
    // One after another: so many sign-ins of one address at once are refused.
    const accounts: FuzzAccount[] = [];
    for (const customer of made) accounts.push(await signedIn(url, customer));
    return accounts;
  };
  const mains = await open(many.mains, 5);
  const [other, admin, rotating] = (await open(3)) as [FuzzAccount, FuzzAccount, FuzzAccount];
  await sql`update accounts set admin = true where id = ${admin.accountId}`.execute(posthorn.db);
  const sink = createServer((request, response) => {
    request.resume();
    response.end();
  });
  const { rows } = await sql<Record<string, number>>`select
    (select max(id)::int from lanes) as "laneId", (select max(id)::int from prices) as "priceId"`.execute(
    posthorn.db,
  );
  return {
    ...limits,
    url,
    own: rows[0] ?? {},
    mailboxToken: MAILBOX_TOKEN,
    webhookUrl: `http://127.0.0.1:${await listenOn(sink)}/hook`,
    main: mains[0] as FuzzAccount,
    mains,
    other,
    admin,
    rotating,
    signers: await open(many.signers),
    closing: await open(many.closing),
    close: () => sink.close(),
  };
};

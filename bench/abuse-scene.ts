import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { MAILBOX_TOKEN } from '../test/api.ts';
import { listenOn } from '../test/emulators/listen-on.ts';
import type { Program } from '../test/program.ts';
import type { BystanderOptions, BystanderReport } from './bystander.ts';
import type { FuzzAccount, FuzzFault, FuzzOptions, FuzzResult } from './fuzz-scene.ts';
import type { Customer, Posthorn } from './posthorn.ts';
import { signIn } from './sign-in.ts';

const BYSTANDER = fileURLToPath(new URL('./bystander.ts', import.meta.url));
const FUZZER = fileURLToPath(new URL('./fuzz-client.ts', import.meta.url));
/** Messages a second: what a busy but usual customer sends one by one. */
export const PACE = 50;
const SIGNERS = 4;
/** Accounts that are closed while it runs. */
const CLOSING = { few: 3, many: 30 };
/** Above this there is time to close many. */
const MANY_REQUESTS = 100_000;

const openChild = (file: string, options: object): ChildProcess =>
  fork(file, [JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });

export interface Bystander {
  /** What was seen since the last report. */
  report: () => Promise<BystanderReport>;
  stop: () => void;
}

export const openBystander = (options: BystanderOptions): Bystander => {
  const child = openChild(BYSTANDER, options);
  return {
    report: async () => {
      const answer = once(child, 'message') as Promise<[BystanderReport]>;
      child.send({});
      return (await answer)[0];
    },
    stop: () => {
      child.disconnect();
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

const signedIn = async (url: string, customer: Customer): Promise<FuzzAccount> => {
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
  const accounts: FuzzAccount[] = [];
  const closing = limits.requests > MANY_REQUESTS ? CLOSING.many : CLOSING.few;
  const made = await posthorn.customers(4 + SIGNERS + closing, 100);
  const [main, , admin] = made;
  if (main) await posthorn.refill(main, 5);
  await sql`update accounts set admin = true where id = ${admin?.accountId}`.execute(posthorn.db);
  for (const customer of made) accounts.push(await signedIn(url, customer));
  const sink = createServer((request, response) => {
    request.resume();
    response.end();
  });
  const [first, other, third, rotating, ...rest] = accounts as [
    FuzzAccount,
    FuzzAccount,
    FuzzAccount,
    FuzzAccount,
  ];
  return {
    ...limits,
    url,
    mailboxToken: MAILBOX_TOKEN,
    webhookUrl: `http://127.0.0.1:${await listenOn(sink)}/hook`,
    main: first,
    other,
    admin: third,
    rotating,
    signers: rest.slice(0, SIGNERS),
    closing: rest.slice(SIGNERS),
    close: () => sink.close(),
  };
};

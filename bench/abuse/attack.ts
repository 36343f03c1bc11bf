import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../server/ground/postgres/index.ts';
import type { SmtpSink } from '../../test/emulators/smtp-sink/smtp-sink.ts';
import type { FuzzAccount } from '../fuzz/fuzz-scene.ts';
import type { Centre } from '../sending/centre.ts';

export interface AttackScene {
  url: string;
  port: number;
  db: Db;
  /** Where the emails go. */
  sink: SmtpSink;
  /** Where the SMS go. */
  centre: Centre;
  bouncePort: number;
  attacker: FuzzAccount;
  victim: FuzzAccount;
  admin: FuzzAccount;
  /** A stranger who has just registered: no money. */
  newcomer: () => Promise<FuzzAccount>;
  /** How many come at once where many do. */
  crowd: number;
  /** How long an ordinary call may take beside an attack. */
  patienceSeconds: number;
  /** Whether an ordinary client that is asked to come again does so, within its patience. */
  comesAgain: boolean;
}

export interface Attack {
  /** Of the list of what an attack on a running copy once found. */
  point: number;
  title: string;
  /** Takes long: left out of a quick run. */
  long?: true;
  /** Returns what it could do; undefined if nothing. */
  run: (scene: AttackScene) => Promise<string | undefined>;
}

export const bearer = ({ secret }: FuzzAccount) => ({ authorization: `Bearer ${secret}` });
export const testBearer = ({ testSecret }: FuzzAccount) => ({ authorization: `Bearer ${testSecret}` });
export const session = ({ token }: FuzzAccount) => ({ authorization: token });

const WAIT_MS = 60_000;
/** Whether it became so within a minute. */
export const until = async (isSo: () => Promise<boolean> | boolean): Promise<boolean> => {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(100)) if (await isSo()) return true;
  return false;
};

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: object | FormData;
  /** The caller's address, as a proxy tells it. */
  from?: string;
}

export interface Answered {
  status: number;
  reply: Record<string, unknown>;
  seconds: number;
}

export const ask = async (
  url: string,
  path: string,
  { method, headers, body, from }: Asked = {},
): Promise<Answered> => {
  const begun = performance.now();
  const isForm = body instanceof FormData;
  const answer = await fetch(url + path, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      ...headers,
      ...(from && { 'x-forwarded-for': from }),
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  let reply: Record<string, unknown> = {};
  try {
    reply = JSON.parse(text);
  } catch {
    reply = { text };
  }
  return { status: answer.status, reply, seconds: (performance.now() - begun) / 1_000 };
};

/** A form with a file, as the specification has it. */
export const formWith = (csv: string, fields: Record<string, string>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('csv', new Blob([csv]), 'people.csv');
  return form;
};

/** An ordinary call that may be asked to come again while the program can't keep up. */
export const askAgain = async (
  { comesAgain, patienceSeconds }: Pick<AttackScene, 'comesAgain' | 'patienceSeconds'>,
  call: () => Promise<Answered>,
): Promise<Answered> => {
  for (const begun = performance.now(); ; await sleep(500)) {
    const answer = await call();
    const seconds = (performance.now() - begun) / 1_000;
    if (answer.status !== 503 || !comesAgain || seconds > patienceSeconds) return { ...answer, seconds };
  }
};

/** What an ordinary call must not notice: it is answered as always, and soon. */
export const noticed = (
  { patienceSeconds }: Pick<AttackScene, 'patienceSeconds'>,
  what: string,
  { status, seconds }: Answered,
): string | undefined => {
  if (status !== 200) return `${what} was answered with ${status}`;
  return seconds > patienceSeconds ? `${what} took ${seconds.toFixed(1)} s` : undefined;
};

import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../test/api.ts';
import { insist } from './insist.ts';
import type { Customer } from './posthorn.ts';
import type { Scene } from './sending-scene.ts';
import { uploadCsv } from './upload.ts';

/** The message centre always defers these endings, so we retry them for twenty minutes. */
const PUT_OFF = new Set([9_002, 9_003]);
const CALLERS = 8;
const AHEAD_MS = 20_000;
/** One of so many single calls is repeated at the end of the round. */
const REPEATED = 10;
/** Numbers that have opted out from the subscriber's messages. */
const OPTED_OUT = ['85269990001', '85269990002', '85269990003'];

export interface Sent {
  digits: string;
  text: string;
}

/** What a round sends. */
export interface Plan {
  round: number;
  /** One file of the account without anything. */
  plain: Sent[];
  /** Of the account with a webhook and opt-outs: a file, a file for later, and single calls with keys. */
  subscribed: Sent[];
  scheduled: Sent[];
  singles: Sent[];
  /** What must be refused. */
  optedOut: Sent[];
}

export const planOf = (round: number, count: number): Plan => {
  const compose = (part: string, share: number): Sent[] =>
    Array.from({ length: count * share }, (_, at) => {
      const ending = PUT_OFF.has(at % 10_000) ? 0 : at % 10_000;
      return {
        digits: `8526${String(Math.floor(at / 10_000) + 100)}${String(ending).padStart(4, '0')}`,
        text: `Round ${round}, ${part} ${at}.`,
      };
    });
  return {
    round,
    plain: compose('plain', 0.75),
    subscribed: compose('subscribed', 0.1),
    scheduled: compose('scheduled', 0.05),
    singles: compose('single', 0.1),
    optedOut: OPTED_OUT.map((digits) => ({ digits, text: `Round ${round}, opted out.` })),
  };
};

export const optOut = async ({ url, subscriber }: Scene): Promise<void> => {
  const { email, password } = subscriber;
  const { reply } = await callApi(url, 'POST /account/login', { body: { email, password } });
  for (const digits of OPTED_OUT) {
    const { status } = await callApi(url, 'POST /account/:accountId/optOuts', {
      token: reply.token,
      params: { accountId: reply.accountId },
      body: { channel: 'sms', phone: `+${digits}` },
    });
    if (status !== 200) throw new Error(`the opt-out was answered with ${status}`);
  }
};

const csvOf = (rows: Sent[]): Buffer =>
  Buffer.from(`phone,message\n${rows.map(({ digits, text }) => `+${digits},"${text}"\n`).join('')}`);

/** Until there is an answer: a killed process gave none, and the key makes the repetition harmless. */
const upload = async (
  url: string,
  { secret }: Customer,
  file: { rows: Sent[]; idempotencyKey: string; sendAt?: string; accepted: number },
): Promise<void> => {
  const { rows, accepted, ...fields } = file;
  const answer = await insist(() => uploadCsv(url, { secret, csv: csvOf(rows), ...fields }));
  if (answer.accepted !== accepted) throw new Error(`${answer.accepted} of ${accepted} rows were accepted`);
};

const sendSingle = (url: string, { secret }: Customer, { digits, text }: Sent, key: string) =>
  insist(async () => {
    const answer = await fetch(`${url}/api/sms/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ secret, phone: `+${digits}`, message: text }),
    });
    if (answer.status >= 500) throw new Error(`a single message was answered with ${answer.status}`);
    const { _id, code } = (await answer.json()) as { _id?: string; code?: string };
    return { status: answer.status, _id, code };
  });

/** Sends all of it, each with a key, while things are killed; `repeat` sends much of it again with the same keys. */
export const openRound = ({ url, plain, subscriber }: Scene, plan: Plan) => {
  const sendAt = new Date(Date.now() + AHEAD_MS).toISOString();
  const files = [
    { customer: plain, rows: plan.plain, accepted: plan.plain.length },
    { customer: subscriber, rows: [...plan.subscribed, ...plan.optedOut], accepted: plan.subscribed.length },
    { customer: subscriber, rows: plan.scheduled, accepted: plan.scheduled.length, sendAt },
  ].map((file, at) => ({ ...file, idempotencyKey: `round-${plan.round}-file-${at}` }));
  const uploadAll = async (): Promise<void> => {
    for (const { customer, ...file } of files) await upload(url, customer, file);
  };
  const ids = new Map<string, string | undefined>();
  const single = async (at: number, one: Sent, customer: Customer) => {
    const key = `round-${plan.round}-single-${at}`;
    const answer = await sendSingle(url, customer, one, key);
    return { key, ...answer };
  };
  /** Single calls of both accounts. */
  const senderOf = (at: number): Customer => (at % 2 === 0 ? plain : subscriber);
  const sendSingles = async (): Promise<void> => {
    let next = 0;
    const call = async (): Promise<void> => {
      for (let at = next++; at < plan.singles.length; at = next++) {
        const { key, status, _id, code } = await single(at, plan.singles[at] as Sent, senderOf(at));
        if (status !== 200) throw new Error(`a single message was refused: ${code}`);
        ids.set(key, _id);
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    for (const [at, one] of plan.optedOut.entries()) {
      const { status, code } = await single(plan.singles.length + at, one, subscriber);
      if (code !== 'E_OPTED_OUT')
        throw new Error(`an opted-out recipient was answered with ${status} ${code}`);
    }
  };
  return {
    sendAll: async (): Promise<void> => {
      await Promise.all([uploadAll(), sendSingles()]);
    },
    /** Returns how many calls got another answer than before. */
    repeat: async (): Promise<number> => {
      let differing = 0;
      await uploadAll();
      for (let at = 0; at < plan.singles.length; at += REPEATED) {
        const { key, _id } = await single(at, plan.singles[at] as Sent, senderOf(at));
        if (ids.get(key) !== _id) differing += 1;
      }
      // A message that was accepted again by mistake would be sent soon.
      await sleep(500);
      return differing;
    },
  };
};

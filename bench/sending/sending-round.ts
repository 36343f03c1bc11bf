import { setTimeout as sleep } from 'node:timers/promises';
import { calls } from '../../contract/calls.ts';
import { callApi } from '../../test/api.ts';
import { insist } from '../load/insist.ts';
import { uploadCsv } from '../load/upload.ts';
import type { Customer } from '../posthorn.ts';
import type { Scene } from './sending-scene.ts';

/** The message centre always defers these endings, so we retry them for twenty minutes. */
const PUT_OFF = new Set([9_002, 9_003, 9_004]);
const CALLERS = 8;
/** Messages of a call with many. */
const BULK = 50;
const AHEAD_MS = 20_000;
/** One of so many calls is repeated at the end of the round. */
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
  /** By calls with many, where the program has them. */
  bulk: Sent[];
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
    plain: compose('plain', 0.7),
    subscribed: compose('subscribed', 0.1),
    scheduled: compose('scheduled', 0.05),
    singles: compose('single', 0.1),
    bulk: 'POST /:channel/sendMany' in calls ? compose('bulk', 0.05) : [],
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

interface Answered {
  _id?: string;
  code?: string;
  messages?: { _id?: string; code?: string }[];
}

/** Until there is an answer of the program itself. */
const post = (
  url: string,
  { key, path, body }: { key: string; path: 'send' | 'sendMany'; body: object },
): Promise<{ isAccepted: boolean; answer: Answered }> =>
  insist(async () => {
    const reply = await fetch(`${url}/api/sms/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    if (reply.status >= 500) throw new Error(`a call was answered with ${reply.status}`);
    return { isAccepted: reply.ok, answer: (await reply.json()) as Answered };
  });

const messageOf = ({ digits, text }: Sent) => ({ phone: `+${digits}`, message: text });

/** One call with a key, and what it must be answered with for each of its messages. */
interface Call {
  key: string;
  path: 'send' | 'sendMany';
  body: object;
  refusals: (string | undefined)[];
}

/** Single calls of both accounts and calls with many, each with somebody who has opted out at the end. */
const callsOf = ({ plain, subscriber }: Scene, plan: Plan): Call[] => {
  const refused = 'E_OPTED_OUT';
  const single = (one: Sent, { secret }: Customer, refusal?: string): Omit<Call, 'key'> => ({
    path: 'send',
    body: { secret, ...messageOf(one) },
    refusals: [refusal],
  });
  const many = (from: number): Omit<Call, 'key'> => {
    const [last] = plan.optedOut;
    const messages = [...plan.bulk.slice(from, from + BULK), ...(last ? [last] : [])];
    return {
      path: 'sendMany',
      body: { secret: subscriber.secret, messages: messages.map(messageOf) },
      refusals: messages.map((one) => (one === last ? refused : undefined)),
    };
  };
  return [
    ...plan.singles.map((one, at) => single(one, at % 2 === 0 ? plain : subscriber)),
    ...plan.optedOut.map((one) => single(one, subscriber, refused)),
    ...Array.from({ length: Math.ceil(plan.bulk.length / BULK) }, (_, at) => many(at * BULK)),
  ].map((call, at) => ({ ...call, key: `round-${plan.round}-call-${at}` }));
};

/** The ids by place; throws if a message was accepted or refused that must not be. */
const makeCall = async (url: string, call: Call): Promise<string> => {
  const { isAccepted, answer } = await post(url, call);
  const verdicts = answer.messages ?? [answer];
  const isRight =
    verdicts.length === call.refusals.length &&
    verdicts.every(({ _id, code }, at) => {
      const refusal = call.refusals[at];
      return refusal === undefined ? isAccepted && _id !== undefined : code === refusal;
    });
  if (!isRight) throw new Error(`a call was answered with ${JSON.stringify(answer).slice(0, 500)}`);
  return verdicts.map(({ _id }) => _id).join();
};

/** Sends all of it, each with a key, while things are killed; `repeat` sends much of it again with the same keys. */
export const openRound = (scene: Scene, plan: Plan) => {
  const { url, plain, subscriber } = scene;
  const sendAt = new Date(Date.now() + AHEAD_MS).toISOString();
  const files = [
    { customer: plain, rows: plan.plain, accepted: plan.plain.length },
    { customer: subscriber, rows: [...plan.subscribed, ...plan.optedOut], accepted: plan.subscribed.length },
    { customer: subscriber, rows: plan.scheduled, accepted: plan.scheduled.length, sendAt },
  ].map((file, at) => ({ ...file, idempotencyKey: `round-${plan.round}-file-${at}` }));
  const uploadAll = async (): Promise<void> => {
    for (const { customer, ...file } of files) await upload(url, customer, file);
  };
  const made = callsOf(scene, plan);
  const ids = new Map<string, string>();
  const callAll = async (): Promise<void> => {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let call = made[next++]; call; call = made[next++]) ids.set(call.key, await makeCall(url, call));
    };
    await Promise.all(Array.from({ length: CALLERS }, work));
  };
  return {
    sendAll: async (): Promise<void> => {
      await Promise.all([uploadAll(), callAll()]);
    },
    /** Returns how many calls got another answer than before. */
    repeat: async (): Promise<number> => {
      let differing = 0;
      await uploadAll();
      for (let at = 0; at < made.length; at += REPEATED) {
        const call = made[at];
        if (call && (await makeCall(url, call)) !== ids.get(call.key)) differing += 1;
      }
      // A message that was accepted again by mistake would be sent soon.
      await sleep(500);
      return differing;
    },
  };
};

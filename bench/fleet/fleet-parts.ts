import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { SEND_MANY_MOST } from '../../contract/traffic/messages.ts';
import { callApi } from '../../test/api.ts';
import { uploadCsv } from '../load/upload.ts';
import type { Customer } from '../posthorn.ts';
import type { FleetAgent } from './fleet-agent.ts';
import { RECEIPT_MS } from './fleet-modems.ts';
import { type Fleet, until } from './fleet-scene.ts';

export const KILLS = ['agent', 'line', 'web', 'worker'] as const;
export type Kill = (typeof KILLS)[number];

/** The parts of the proof; a message's text begins with the one that it belongs to. */
type Part = 'Kills' | 'Away' | 'Down';

/** A network that takes its time: what waits behind a message waits long enough to be moved. */
const SLOW_MS = 3_000;

let last = 0;
const nextMessages = (part: Part, count: number) =>
  Array.from({ length: count }, () => {
    last += 1;
    return { phone: `+85261${String(last).padStart(6, '0')}`, message: `${part} ${last}` };
  });

const sendAll = async (
  { url }: Fleet,
  { secret }: Customer,
  { part, count }: { part: Part; count: number },
): Promise<void> => {
  for (let left = count; left > 0; left -= SEND_MANY_MOST) {
    const messages = nextMessages(part, Math.min(SEND_MANY_MOST, left));
    const body = { secret, messages, allOrNothing: false };
    const { status, reply } = await callApi(url, 'POST /:channel/sendMany', {
      params: { channel: 'sms' },
      body,
    });
    if (status !== 200 || reply.refused > 0) throw new Error(`not accepted: ${JSON.stringify(reply)}`);
  }
};

const sendFile = async ({ url, customer: { secret } }: Fleet, part: Part, count: number): Promise<void> => {
  const lines = nextMessages(part, count).map(({ phone, message }) => `${phone},${message}`);
  const { refused } = await uploadCsv(url, {
    secret,
    csv: Buffer.from(['phone,message', ...lines, ''].join('\n')),
  });
  if (refused > 0) throw new Error(`${refused} rows were not accepted`);
};

/** By what the database says of them. */
const countMessages = async ({ db }: Fleet, part: Part) => {
  const { rows } = await sql<{ waiting: number; inDoubt: number; all: number }>`
    select count(*) filter (where status = 'PENDING' and unknown_since is null)::int as waiting,
      count(*) filter (where status <> 'SUCCESS' and unknown_since is not null)::int as "inDoubt",
      count(*)::int as all
    from messages where type = 'outgoing' and message like ${`${part} %`}`.execute(db);
  return rows[0] ?? { waiting: 0, inDoubt: 0, all: 0 };
};

const untilWaiting = (fleet: Fleet, part: Part, most: number, ms: number): Promise<void> =>
  until(
    `${part}: an outcome of all but ${most}`,
    async () => {
      const { waiting } = await countMessages(fleet, part);
      return waiting <= most;
    },
    ms,
  );

/** Returns how many messages it may leave in doubt: one a modem that had one in hand. */
const kill = async (fleet: Fleet, what: Kill, agent: FleetAgent): Promise<number> => {
  if (what === 'agent') {
    await agent.restart();
    return agent.modems.length;
  }
  if (what === 'line') {
    agent.line.cut();
    await sleep(randomInt(500));
    agent.line.mend();
    return 0;
  }
  await fleet.restart(what);
  return what === 'worker' ? fleet.emulator.modems.length : 0;
};

export interface KillsPlan {
  serialMessages: number;
  gammuMessages: number;
  kills: readonly Kill[];
  /** Which place is struck the n-th time. */
  victim: (at: number, places: FleetAgent[]) => FleetAgent | undefined;
  /** Messages that come in with each kill. */
  incoming: number;
  withinMs: number;
}

/** Strikes at random while messages go out and come in. Returns how many may be in doubt. */
export const proveKills = async (
  fleet: Fleet,
  { serialMessages, gammuMessages, kills, victim, incoming, withinMs }: KillsPlan,
): Promise<number> => {
  const { emulator, agents } = fleet;
  await sendAll(fleet, fleet.customer, { part: 'Kills', count: serialMessages });
  await sendAll(fleet, fleet.gammuCustomer, { part: 'Kills', count: gammuMessages });
  let mayBeInDoubt = 0;
  for (const [at, what] of kills.entries()) {
    const left = (serialMessages + gammuMessages) * (1 - (at + 1) / (kills.length + 1));
    await untilWaiting(fleet, 'Kills', Math.ceil(left), withinMs);
    await sleep(randomInt(200));
    for (let n = 0; n < incoming; n += 1) {
      const number = at * incoming + n;
      const modem = emulator.modems[number % emulator.modems.length];
      const from = `+85262${String(number).padStart(6, '0')}`;
      if (modem) await emulator.receive(modem, { from, text: `Incoming ${number}` });
    }
    const agent = victim(at, agents);
    if (agent) mayBeInDoubt += await kill(fleet, what, agent);
  }
  return mayBeInDoubt;
};

export const untilKillsOver = (fleet: Fleet, withinMs: number): Promise<void> =>
  untilWaiting(fleet, 'Kills', 0, withinMs);

/** One of two places is cut off until the other has sent all that the first had not yet in its modems. */
export const proveAway = async (fleet: Fleet, count: number, withinMs: number): Promise<void> => {
  const { emulator, places } = fleet;
  const { modems, line } = places.first;
  const behave = (latencyMs: number) =>
    Promise.all(modems.map((modem) => emulator.behave(modem, { latencyMs })));
  await behave(SLOW_MS);
  const before = await emulator.taken(modems);
  await sendAll(fleet, fleet.customer, { part: 'Away', count });
  await until('a message at a slow modem', async () => (await emulator.taken(modems)) > before);
  line.cut();
  await untilWaiting(fleet, 'Away', modems.length, withinMs);
  line.mend();
  await behave(0);
  await untilWaiting(fleet, 'Away', 0, withinMs);
};

/**
 * A phone loses the answer to a message and then its network, in the middle of a file. Returns how many messages are
 * marked as in doubt.
 */
export const proveDown = async (fleet: Fleet, count: number, withinMs: number): Promise<number> => {
  const { emulator, places } = fleet;
  const [modem] = places.second.modems;
  if (!modem) throw new Error('there is no modem');
  await emulator.behave(modem, { receipts: null, rates: { 'lost-answer': 1 } });
  await sendFile(fleet, 'Down', count);
  // The modem may have messages of the kills before: they are in doubt too, but not of this part.
  const isLost = async () => (await countMessages(fleet, 'Down')).inDoubt > 0;
  await until('a lost answer', isLost, withinMs);
  await emulator.behave(modem, { registered: false });
  await untilWaiting(fleet, 'Down', 0, withinMs);
  const { inDoubt } = await countMessages(fleet, 'Down');
  await emulator.behave(modem, { registered: true, rates: {}, receipts: { delayMs: RECEIPT_MS } });
  return inDoubt;
};

/**
 * The agent's runner. What must outlive it is in the journal; its modes:
 * - looking, from its start: its modems are opened, and each has its share of what the process before this one left
 *   (serve-modem.ts). Nothing is said. It is online once all modems have said who they are, or after FIRST_LOOK_MS.
 * - online: the line to the server is open, or opened again (open-line.ts). Each welcome and each change of the settings
 *   restarts its timers. Remembered are the server's clock, without which no modem gets anything (from the first
 *   welcome), the settings and the balances, and of this connection what it has said (speech.ts).
 * - closing, by `close`: the modems end what they have, and say what came of it; then the line and the journal are closed.
 * Whatever it can't go on with is told by `onEnd`, whose owner closes it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AGENT_REPEAT_MS,
  type AgentSend,
  type AgentSettings,
  type ServerFrame,
} from '../contract/fleet/agent-protocol.ts';
import { openBalances } from './balances.ts';
import { heartbeatOf, helloOf } from './describe.ts';
import { holdFolder } from './hold-folder.ts';
import { openIdentity } from './identity.ts';
import { type AgentJournal, openAgentJournal } from './journal/journal.ts';
import { type Line, lineUrl, openLine } from './line/open-line.ts';
import type { Modem } from './modems/modem.ts';
import { type ServedModem, serveModem } from './modems/serve-modem.ts';
import { answerTo, pausesOf, withoutModem } from './next-step.ts';
import type { AgentFileSettings, ModemSettings } from './settings.ts';
import { SettingsFault } from './settings-fault.ts';
import { openSpeech } from './speech.ts';

interface AgentOptions extends AgentFileSettings {
  version: string;
  makeModem: (settings: ModemSettings, place: { folder: string; joinedAt: Date }) => Modem;
  log: (line: string) => void;
  /** The agent can't continue: the server refuses it, or its disk fails. */
  onEnd: (sentence: string) => void;
}

const SWEEP_MS = 60_000;
const FIRST_LOOK_MS = 15_000;
const SECOND_MS = 1_000;

type Standing = { mode: 'looking' } | { mode: 'online' | 'closing'; line: Line | undefined };
const lineOf = (standing: Standing): Line | undefined => ('line' in standing ? standing.line : undefined);

/** What it keeps on the disk. Throws if it can't begin. */
const openFolder = async ({ folder, key }: AgentOptions) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const releaseFolder = await holdFolder(folder);
  if (!releaseFolder) throw new SettingsFault(`Another agent runs in ${folder}.`);
  const identity = openIdentity(folder);
  if (!identity.joined() && !key)
    throw new SettingsFault('It has not joined yet: give it the one-time key, --key KEY.');
  const journal = openAgentJournal({ path: join(folder, 'agent.journal'), now: () => Date.now() });
  return { identity, joinedAt: identity.createdAt, journal, releaseFolder };
};

const guardWith = (onEnd: AgentOptions['onEnd']) => {
  const broken = (error: unknown): void =>
    onEnd(`The journal can't be written, so nothing more is sent: ${(error as Error).message}`);
  const guarded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      broken(error);
    }
  };
  return { broken, guarded };
};

type Refused = Extract<ServerFrame, { type: 'refused' }>;
const turnedAway = ({ code, reason, retry }: Refused, { onEnd, log }: AgentOptions): void =>
  retry
    ? log(`the server does not take this agent now: ${reason}`)
    : onEnd(`The server does not take this agent (${code}): ${reason}`);

type Speech = ReturnType<typeof openSpeech>;

/** Gives each hand-over to its modem, also those that a process before this one left. */
const openIntake = (journal: AgentJournal, served: ServedModem[], say: Speech['say']) => {
  const refuseFor = (send: AgentSend, begun: boolean): void =>
    say(journal.finish(send, withoutModem(send, begun)));
  const modemOf = (send: AgentSend) => served.find(({ name }) => name === send.modem);
  for (const { send, begun, result } of journal.handOvers())
    if (!result && !modemOf(send)) refuseFor(send, begun);
  return (send: AgentSend): void => {
    const answer = answerTo(send, journal.find(send.id));
    if (answer) {
      say(answer);
      return;
    }
    journal.take(send);
    say({ type: 'taken', id: send.id });
    const to = modemOf(send);
    if (to) to.add(send);
    else refuseFor(send, false);
  };
};

/** The settings that the server gave last, and what is done by them. */
const openSettings = (heartbeat: () => void, askBalances: (code: string | undefined) => Promise<void>) => {
  let settings: AgentSettings = { heartbeatSeconds: 30 };
  let timers: NodeJS.Timeout[] = [];
  const ask = () => askBalances(settings.balanceCode);
  const stop = (): void => timers.forEach(clearInterval);
  return {
    keep: (next: AgentSettings): void => {
      const { balanceCode } = settings;
      settings = next;
      const { heartbeatMs, balanceMs } = pausesOf(settings);
      stop();
      timers = [setInterval(heartbeat, heartbeatMs), setInterval(ask, balanceMs)];
      if (settings.balanceCode !== balanceCode) void ask();
    },
    stop,
  };
};

/** Resolves once all have been reached, or the time for that is over. */
const openModems = (served: ServedModem[], log: AgentOptions['log']): Promise<unknown> => {
  const opening = served.map(({ name, open }) =>
    open().catch((error: Error) => log(`${name}: ${error.message}`)),
  );
  return Promise.race([Promise.all(opening), sleep(FIRST_LOOK_MS, undefined, { ref: false })]);
};

/** Runs until it is closed. Throws a SettingsFault if it can't begin. */
export const runAgent = async (options: AgentOptions): Promise<{ close: () => Promise<void> }> => {
  const { folder, log, onEnd } = options;
  const server = lineUrl(options.server, options);
  const { identity, joinedAt, journal, releaseFolder } = await openFolder(options);
  let standing: Standing = { mode: 'looking' };
  /** The server's clock less the one that never jumps. */
  let clockAhead: number | undefined;

  const { broken, guarded } = guardWith(onEnd);
  const speech = openSpeech({ journal, send: (frame) => lineOf(standing)?.say(frame) });
  const { say, repeat } = speech;
  const heartbeat = (): void => say(heartbeatOf(served, balances.of));
  const serverNow = () => (clockAhead === undefined ? undefined : clockAhead + performance.now());
  const ways = { journal, serverNow, say, changed: heartbeat, onBroken: broken };
  const served = options.modems.map((one) =>
    serveModem({ name: one.name, modem: options.makeModem(one, { folder, joinedAt }), ...ways }),
  );
  const balances = openBalances({ served, log, changed: heartbeat });
  const settings = openSettings(heartbeat, balances.ask);
  const take = openIntake(journal, served, say);

  const heard = (frame: ServerFrame): void => {
    if (frame.type === 'welcome') {
      clockAhead = Date.parse(frame.now) - performance.now();
      identity.join();
      log(`connected to ${options.server}`);
      settings.keep(frame.settings);
      heartbeat();
      repeat(0);
      for (const { work } of served) work();
    } else if (frame.type === 'settings') settings.keep(frame.settings);
    else if (frame.type === 'send') take(frame);
    else if (frame.type === 'ack') speech.acknowledged(frame);
    else turnedAway(frame, options);
  };
  const goOnline = (): void => {
    if (standing.mode !== 'looking') return;
    const line = openLine({
      server,
      reconnect: { minMs: options.reconnectMinMs, maxMs: options.reconnectMaxMs },
      hello: () => helloOf({ ...options, identity }, { served, handOvers: journal.handOvers() }),
      heard: (frame) => guarded(() => heard(frame)),
      replaced: () => onEnd('Another agent with this identity has connected: only one may run.'),
      ended: (reason, pauseMs) => {
        speech.forget();
        log(`${reason}; it tries again in ${Math.ceil(pauseMs / SECOND_MS)} s`);
      },
    });
    standing = { mode: 'online', line };
  };

  const timers = [
    setInterval(() => repeat(AGENT_REPEAT_MS), AGENT_REPEAT_MS / 2),
    setInterval(() => guarded(() => journal.sweep(Date.now()).forEach(say)), SWEEP_MS),
  ];
  // The server finds a modem's phone by its IMSI, so it is told first who they are, if they say so soon.
  void openModems(served, log).then(goOnline);

  return {
    close: async () => {
      standing = { mode: 'closing', line: lineOf(standing) };
      settings.stop();
      timers.forEach(clearInterval);
      await Promise.all(served.map(({ close }) => close()));
      lineOf(standing)?.close();
      journal.close();
      releaseFolder();
    },
  };
};

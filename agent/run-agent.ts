import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AGENT_PROTOCOL,
  type AgentFrame,
  type AgentSettings,
  type Hello,
  MOST_HELD,
  REPEAT_MS,
  type Send,
  type ServerFrame,
} from '../contract/fleet/agent-protocol.ts';
import { holdFolder } from './hold-folder.ts';
import { openIdentity } from './identity.ts';
import { openJournal } from './journal/journal.ts';
import { addressOf, type Line, openLine } from './line/open-line.ts';
import { type Modem, refused, unknown } from './modems/modem.ts';
import { type Balance, readBalance } from './modems/read-balance.ts';
import { serveModem } from './modems/serve-modem.ts';
import type { AgentFileSettings, ModemSettings } from './settings.ts';
import { SettingsFault } from './settings-fault.ts';

interface AgentOptions extends AgentFileSettings {
  version: string;
  makeModem: (settings: ModemSettings, place: { folder: string; joinedAt: Date }) => Modem;
  log: (line: string) => void;
  /** It can't go on: it is not welcome, or its disk fails. */
  onEnd: (sentence: string) => void;
}

/** In one round: the server leaves out what it can't hold. */
const MOST_SAID = 1_000;
const SWEEP_MS = 60_000;
const FIRST_LOOK_MS = 15_000;
const BALANCE_EVERY_MINUTES = 360;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Runs until it is closed. Throws a SettingsFault if it can't begin. */
export const runAgent = async (options: AgentOptions): Promise<{ close: () => Promise<void> }> => {
  const { folder, log, onEnd } = options;
  const server = addressOf(options.server, options);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const letGo = await holdFolder(folder);
  if (!letGo) throw new SettingsFault(`Another agent runs in ${folder}.`);
  const identity = openIdentity(folder);
  if (!identity.joined() && !options.key)
    throw new SettingsFault('It has not joined yet: give it the one-time key, --key KEY.');
  const journal = openJournal({ path: join(folder, 'agent.journal'), now: () => Date.now() });

  let settings: AgentSettings = { heartbeatSeconds: 30 };
  /** The server's clock less the one that never jumps. */
  let clockAhead: number | undefined;
  const balances = new Map<string, Balance>();
  const saidAt = new Map<string, number>();
  let line: Line | undefined;
  let closed = false;
  let beat: NodeJS.Timeout | undefined;
  let asking: NodeJS.Timeout | undefined;

  const broken = (error: unknown): void =>
    onEnd(`The journal can't be written, so nothing more is sent: ${(error as Error).message}`);
  const guarded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      broken(error);
    }
  };
  const say = (frame: AgentFrame): void => {
    if (line?.say(frame) && 'id' in frame) saidAt.set(frame.id, performance.now());
  };
  const describe = (name: string, { driver, state }: Modem) => {
    const { imsi, number } = state();
    return { name, driver, imsi, number };
  };
  const heartbeat = (): void =>
    say({
      type: 'heartbeat',
      modems: served.map(({ name, modem }) => {
        const { up, reason, signal, network } = modem.state();
        return {
          ...describe(name, modem),
          up,
          reason: reason?.slice(0, 200),
          signal,
          network: network?.slice(0, 200),
          ...balances.get(name),
        };
      }),
    });
  const served = options.modems.map((one) =>
    serveModem({
      name: one.name,
      modem: options.makeModem(one, { folder, joinedAt: identity.createdAt }),
      journal,
      serverNow: () => (clockAhead === undefined ? undefined : clockAhead + performance.now()),
      say: (frame) => say(frame),
      changed: () => heartbeat(),
      onBroken: broken,
    }),
  );

  const hello = (): Hello => ({
    type: 'hello',
    protocol: AGENT_PROTOCOL,
    agentId: identity.agentId,
    secret: identity.secret,
    ...(!identity.joined() && options.key && { key: options.key }),
    name: options.name,
    version: options.version,
    modems: served.map(({ name, modem }) => describe(name, modem)),
    holds: journal
      .handOvers()
      .filter(({ stored }) => !stored)
      .slice(0, MOST_HELD)
      .map(({ send }) => send.id),
  });
  const refuseFor = (send: Send, begun: boolean): void => {
    const reason = `The agent has no modem named ${send.modem}.`;
    say(
      journal.finish(
        send,
        begun
          ? unknown({ parts: 1, code: 'NO_MODEM', reason })
          : refused({ parts: 1, code: 'NO_MODEM', reason }),
      ),
    );
  };
  /** A hand-over is done once, however often it is asked for. */
  const take = (send: Send): void => {
    const known = journal.find(send.id);
    if (known) {
      say(known.result ?? { type: 'taken', id: send.id });
      return;
    }
    journal.take(send);
    say({ type: 'taken', id: send.id });
    const to = served.find(({ name }) => name === send.modem);
    if (to) to.add(send);
    else refuseFor(send, false);
  };
  /** What has waited longest comes first, so that frames which the server can't store don't keep back the others. */
  const repeat = (olderThanMs: number): void => {
    const now = performance.now();
    const waitedMs = ({ id }: { id: string }): number => now - (saidAt.get(id) ?? -REPEAT_MS);
    journal
      .unacknowledged()
      .filter((frame) => waitedMs(frame) >= olderThanMs)
      .toSorted((one, other) => waitedMs(other) - waitedMs(one))
      .slice(0, MOST_SAID)
      .forEach(say);
  };
  const askBalances = async (): Promise<void> => {
    const { balanceCode } = settings;
    if (!balanceCode) return;
    for (const { name, modem } of served) {
      if (!modem.state().up) continue;
      try {
        balances.set(name, readBalance(await modem.ask(balanceCode)));
      } catch (error) {
        log(`${name} did not tell its balance: ${(error as Error).message}`);
      }
    }
    heartbeat();
  };
  const keepSettings = (next: AgentSettings): void => {
    const { balanceCode } = settings;
    settings = next;
    clearInterval(beat);
    beat = setInterval(heartbeat, settings.heartbeatSeconds * SECOND_MS);
    clearInterval(asking);
    asking = setInterval(askBalances, (settings.balanceEveryMinutes ?? BALANCE_EVERY_MINUTES) * MINUTE_MS);
    if (settings.balanceCode !== balanceCode) void askBalances();
  };

  const heard = (frame: ServerFrame): void => {
    if (frame.type === 'welcome') {
      clockAhead = Date.parse(frame.now) - performance.now();
      identity.join();
      log(`connected to ${options.server}`);
      keepSettings(frame.settings);
      heartbeat();
      repeat(0);
      for (const { work } of served) work();
    } else if (frame.type === 'settings') keepSettings(frame.settings);
    else if (frame.type === 'send') take(frame);
    else if (frame.type === 'ack') {
      journal.acknowledge(frame);
      for (const id of [...frame.results, ...frame.receipts, ...frame.incoming]) saidAt.delete(id);
    } else if (!frame.retry) onEnd(`The server does not take this agent (${frame.code}): ${frame.reason}`);
    else log(`the server does not take this agent now: ${frame.reason}`);
  };
  const connect = (): void => {
    if (closed) return;
    line = openLine({
      server,
      reconnect: { minMs: options.reconnectMinMs, maxMs: options.reconnectMaxMs },
      hello,
      heard: (frame) => guarded(() => heard(frame)),
      replaced: () => onEnd('Another agent with this identity has connected: only one may run.'),
      ended: (reason, pauseMs) => {
        saidAt.clear();
        log(`${reason}; it tries again in ${Math.ceil(pauseMs / SECOND_MS)} s`);
      },
    });
  };

  for (const { send, begun, result } of journal.handOvers())
    if (!result && !served.some(({ name }) => name === send.modem)) refuseFor(send, begun);
  const repeating = setInterval(() => repeat(REPEAT_MS), REPEAT_MS / 2);
  const sweeping = setInterval(() => guarded(() => journal.sweep(Date.now()).forEach(say)), SWEEP_MS);
  const opening = served.map(({ name, open }) =>
    open().catch((error: Error) => log(`${name}: ${error.message}`)),
  );
  // The server finds a modem's phone by its IMSI, so it is told first who they are, if they say so soon.
  void Promise.race([Promise.all(opening), sleep(FIRST_LOOK_MS, undefined, { ref: false })]).then(connect);

  return {
    close: async () => {
      closed = true;
      for (const timer of [beat, asking, repeating, sweeping]) clearInterval(timer);
      await Promise.all(served.map(({ close }) => close()));
      line?.close();
      journal.close();
      letGo();
    },
  };
};

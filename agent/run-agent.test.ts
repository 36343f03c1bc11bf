import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentSend, HandOverId } from '../contract/fleet/agent-protocol.ts';
import { startAgentServer } from '../test/emulators/agent-server.ts';
import { PATIENT } from '../test/suites/modem-suite.ts';
import type { JournalRecord } from './journal/records.ts';
import {
  type Modem,
  type ModemEvents,
  type ModemMessage,
  type ModemOutcome,
  refusedOutcome,
  sent,
} from './modems/modem.ts';
import { runAgent } from './run-agent.ts';

/** A modem that is told what to answer. */
const newModem = (idempotent = false) => {
  const given: ModemMessage[] = [];
  const events = {} as { of: ModemEvents };
  const state = { up: true, imsi: '454001234567890', signal: 60 };
  let answer: (message: ModemMessage) => Promise<ModemOutcome> = async () => sent(['7']);
  const modem: Modem = {
    driver: 'serial',
    idempotent,
    open: async (to) => {
      events.of = to;
    },
    state: () => state,
    send: (message) => {
      given.push(message);
      return answer(message);
    },
    ask: async () => 'HKD 48.50, valid until 31/03/2027',
    close: async () => {},
  };
  return {
    modem,
    given,
    events,
    state,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
  };
};
const newSend = (rest: Partial<AgentSend> = {}): AgentSend => ({
  type: 'send',
  id: `${randomUUID()}.1` as HandOverId,
  modem: 'm1',
  recipient: '+85261112222',
  text: 'Hello',
  validityMinutes: 60,
  receipt: true,
  until: new Date(Date.now() + 60_000).toISOString(),
  ...rest,
});

type Server = Awaited<ReturnType<typeof startAgentServer>>;
let folder: string;
let server: Server;
let made: ReturnType<typeof newModem>;
const ends: string[] = [];
const agents: { close: () => Promise<void> }[] = [];

const start = async (rest: Partial<Parameters<typeof runAgent>[0]> = {}) => {
  const agent = await runAgent({
    server: server.url,
    key: 'one-time-key',
    name: 'pi-1',
    folder,
    insecure: false,
    reconnectMinMs: 20,
    reconnectMaxMs: 100,
    modems: [
      { name: 'm1', driver: 'serial', path: '/dev/null', baudRate: 9_600, answerMs: 1_000, pollMs: 100 },
    ],
    version: '1.2.3',
    makeModem: () => made.modem,
    log: () => {},
    onEnd: (sentence) => ends.push(sentence),
    ...rest,
  });
  agents.push(agent);
  return agent;
};
const connected = () => vi.waitFor(() => expect(server.isConnected()).toBe(true), PATIENT);
/** Another time than those that were heard until now. */
const saidAgain = async ({ id }: AgentSend) => {
  const before = resultsOf(id).length;
  await vi.waitFor(() => expect(resultsOf(id).length).toBeGreaterThan(before), PATIENT);
};
/** As a process before left it. */
const leaveJournal = (records: JournalRecord[]): void =>
  writeFileSync(
    join(folder, 'agent.journal'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
const resultsOf = (id: string) => server.results.filter((one) => one.id === id);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agent-'));
  server = await startAgentServer();
  made = newModem();
  ends.length = 0;
});
afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.close();
  await server.close();
  rmSync(folder, { recursive: true });
  expect(server.faults).toEqual([]);
});

test('it joins with its key once, under an identity that it keeps secret', async () => {
  const agent = await start();
  await connected();
  await vi.waitFor(() => expect(server.heartbeats).not.toHaveLength(0), PATIENT);
  expect(server.hellos[0]).toMatchObject({
    key: 'one-time-key',
    name: 'pi-1',
    version: '1.2.3',
    modems: [{ name: 'm1', driver: 'serial', imsi: '454001234567890' }],
    holds: [],
  });
  expect(server.heartbeats[0]?.modems).toMatchObject([{ name: 'm1', up: true, signal: 60 }]);
  expect(statSync(join(folder, 'identity.json')).mode & 0o077).toBe(0);
  await agent.close();
  await start({ key: undefined });
  await vi.waitFor(() => expect(server.hellos).toHaveLength(2), PATIENT);
  const [first, second] = server.hellos;
  expect(second).toEqual({ ...first, key: undefined });
});

test('a message is noted, taken, sent and answered, and asked for again it is not sent twice', async () => {
  await start();
  await connected();
  const send = newSend();
  server.send(send);
  await vi.waitFor(() => expect(resultsOf(send.id)).toHaveLength(1), PATIENT);
  expect(server.taken).toEqual([send.id]);
  expect(server.results[0]).toMatchObject({ outcome: 'sent', references: ['7'], modem: 'm1' });
  server.send(send);
  await vi.waitFor(() => expect(resultsOf(send.id)).toHaveLength(2), PATIENT);
  expect(made.given).toHaveLength(1);
});

test('a result that was not acknowledged is said again on a new connection, and by a new process', async () => {
  server.manners.acknowledges = false;
  const agent = await start();
  await connected();
  const send = newSend();
  server.send(send);
  await saidAgain(send);
  server.cut();
  await saidAgain(send);
  expect(server.hellos.at(-1)?.holds).toEqual([send.id]);
  await agent.close();
  server.manners.acknowledges = true;
  await start();
  await saidAgain(send);
  expect(made.given).toHaveLength(1);
});

test('what waits goes on while the line is cut, and is answered afterwards', async () => {
  await start();
  await connected();
  const { promise, resolve } = Promise.withResolvers<ModemOutcome>();
  made.answerWith(() => promise);
  const [first, second] = [newSend(), newSend()];
  server.send(first);
  server.send(second);
  await vi.waitFor(() => expect(server.taken).toHaveLength(2), PATIENT);
  server.cut();
  resolve(sent(['9']));
  await vi.waitFor(() => expect([first, second].flatMap(({ id }) => resultsOf(id))).toHaveLength(2), PATIENT);
  expect(made.given.map(({ id }) => id)).toEqual([first.id, second.id]);
});

test('what waited beyond its time is refused, and what names no modem here', async () => {
  await start();
  await connected();
  const late = newSend({ until: new Date(Date.now() - 1_000).toISOString() });
  const stray = newSend({ modem: 'm9' });
  server.send(late);
  server.send(stray);
  await vi.waitFor(() => expect(server.results).toHaveLength(2), PATIENT);
  expect(server.results).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: late.id, outcome: 'refused', code: 'EXPIRED', retryable: true }),
      expect.objectContaining({ id: stray.id, outcome: 'refused', code: 'NO_MODEM', retryable: true }),
    ]),
  );
  expect(made.given).toEqual([]);
});

test('what a process before had begun is given to an idempotent modem again, as expired once its time is over', async () => {
  made = newModem(true);
  const [late, timely] = [newSend({ until: new Date(Date.now() - 1_000).toISOString() }), newSend()];
  leaveJournal(
    [late, timely].flatMap((send): JournalRecord[] => [
      { kind: 'take', send },
      { kind: 'begin', id: send.id },
    ]),
  );
  await start();
  await vi.waitFor(() => expect(made.given).toHaveLength(2), PATIENT);
  expect(made.given).toMatchObject([
    { id: late.id, again: true, expired: true },
    { id: timely.id, again: true, expired: false },
  ]);
});

test('receipts and incoming messages come to the server until it has stored them', async () => {
  server.manners.acknowledges = false;
  await start();
  await connected();
  const send = newSend();
  server.send(send);
  await vi.waitFor(() => expect(resultsOf(send.id)).toHaveLength(1), PATIENT);
  const at = new Date();
  made.events.of.report({ reference: '7', recipient: send.recipient, state: 'delivered', code: 'ST-0', at });
  made.events.of.arrived({ key: 'k', from: 'HSBC', text: 'Hi', at, concatenation: undefined });
  await vi.waitFor(() => expect([server.receipts[0], server.incoming[0]]).not.toContain(undefined), PATIENT);
  const [receipts, incoming] = [server.receipts.length, server.incoming.length];
  server.cut();
  await vi.waitFor(() => {
    expect(server.receipts.length).toBeGreaterThan(receipts);
    expect(server.incoming.length).toBeGreaterThan(incoming);
  }, PATIENT);
  expect(new Set(server.receipts.map(({ id }) => id)).size).toBe(1);
  expect(server.incoming[1]).toMatchObject({
    from: 'HSBC',
    text: 'Hi',
    imsi: '454001234567890',
    id: server.incoming[0]?.id,
  });
  expect(server.receipts[0]).toMatchObject({ handOverId: send.id, state: 'delivered' });
});

test('what has gathered is said in rounds, and none is kept back by others that are not acknowledged', async () => {
  server.manners.acknowledges = false;
  leaveJournal(
    Array.from({ length: 2_500 }, (_, at) => ({
      kind: 'incoming',
      incoming: {
        type: 'incoming',
        id: `incoming-${at}`,
        modem: 'm1',
        from: 'HSBC',
        text: 'Hi',
        at: '2026-11-16T10:00:00Z',
      },
      keys: [],
    })),
  );
  await start();
  await vi.waitFor(() => expect(server.incoming.length).toBeGreaterThanOrEqual(1_000), PATIENT);
  expect(server.incoming).toHaveLength(1_000);
  await vi.waitFor(() => expect(new Set(server.incoming.map(({ id }) => id)).size).toBe(2_500), PATIENT);
}, 90_000);

test('new settings are taken at once, and the balance is asked for', async () => {
  await start();
  await connected();
  server.say({ type: 'settings', settings: { heartbeatSeconds: 1, balanceCode: '*101#' } });
  await vi.waitFor(
    () =>
      expect(server.heartbeats.at(-1)?.modems).toMatchObject([
        { balance: '48.50', validUntil: '2027-03-31' },
      ]),
    PATIENT,
  );
});

test('a change of a modem is told at once', async () => {
  server.settings.heartbeatSeconds = 120;
  await start();
  await vi.waitFor(() => expect(server.heartbeats).toHaveLength(1), PATIENT);
  made.state.up = false;
  made.events.of.changed();
  await vi.waitFor(() => expect(server.heartbeats.at(-1)?.modems).toMatchObject([{ up: false }]), PATIENT);
});

test('it ends where it is not welcome, and tries again where it is only busy', async () => {
  server.manners.refusal = { type: 'refused', code: 'BUSY', reason: 'Later.', retry: true };
  await start();
  await vi.waitFor(() => expect(server.hellos.length).toBeGreaterThan(1), PATIENT);
  expect(ends).toEqual([]);
  server.manners.refusal = { type: 'refused', code: 'KEY', reason: 'The key was used.', retry: false };
  await vi.waitFor(() => expect(ends[0]).toContain('The key was used.'), PATIENT);
});

test('a second agent in the same folder refuses to start', async () => {
  await start();
  await expect(start()).rejects.toThrow('Another agent runs');
});

test('it needs a key to join, and an encrypted line', async () => {
  await expect(start({ key: undefined })).rejects.toThrow('--key');
  await expect(start({ server: 'http://posthorn.example' })).rejects.toThrow('not encrypted');
});

test('a refusal is told with its reason, and no text or number is in what it writes beside the journal', async () => {
  made.answerWith(async () =>
    refusedOutcome({ parts: 1, code: 'CMS-38', reason: 'the modem answered CMS-38' }),
  );
  await start();
  await connected();
  const send = newSend();
  server.send(send);
  await vi.waitFor(() => expect(resultsOf(send.id)).toHaveLength(1), PATIENT);
  expect(server.results[0]).toMatchObject({ outcome: 'refused', code: 'CMS-38', retryable: true });
  expect(readFileSync(join(folder, 'identity.json'), 'utf8')).not.toContain(send.recipient);
});

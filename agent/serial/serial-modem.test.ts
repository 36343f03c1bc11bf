import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ModemEmulator, startModems } from '../../test/emulators/modem/modem.ts';
import { countMessages, readFacts } from '../../test/emulators/modem/modem-facts.ts';
import { type Heard, listen, modemSuite, newOutgoing, PATIENT } from '../../test/suites/modem-suite.ts';
import type { Modem } from '../modems/modem.ts';
import { openSerialLine } from './serial-line.ts';
import { serialModem } from './serial-modem.ts';

/** How long a test waits where no answer comes; a busy machine may keep one back for longer. */
const SILENT_MS = 1_500;
const newModem = ({ path, number }: ModemEmulator, answerMs = 10_000): Modem =>
  serialModem({ openLine: () => openSerialLine(path, 115_200), number, answerMs, pollMs: 200 });
const countOf = (emulator: ModemEmulator, { recipient, text }: { recipient: string; text: string }): number =>
  countMessages(readFacts(emulator.facts)).messages.get(`${recipient} ${text}`) ?? 0;

const makeUnderTest = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-serial-'));
  const [emulator] = startModems(folder, 1);
  if (!emulator) throw new Error('there is no modem');
  const faults = {
    'refused for good': 'cms-1',
    'refused for now': 'cms-38',
    'lost answer': 'lost-answer',
  } as const;
  return {
    modem: newModem(emulator, 5_000),
    taken: (message: { recipient: string; text: string }) => countOf(emulator, message),
    fail: (recipient: string, how: keyof typeof faults) => {
      emulator.behaviour.faults[recipient] = faults[how];
    },
    report: (references: string[], recipient: string, state: 'delivered' | 'failed') => {
      for (const reference of references)
        emulator.report({
          reference: Number(reference),
          to: recipient,
          status: state === 'delivered' ? 0 : 0x41,
        });
    },
    receive: (message: { from: string; text: string }) => void emulator.receive(message),
    setRegistered: (registered: boolean) => {
      emulator.behaviour.registered = registered;
    },
    close: () => {
      emulator.close();
      rmSync(folder, { recursive: true });
    },
  };
};

modemSuite('a serial modem', makeUnderTest);

describe('a serial modem', () => {
  let folder: string;
  let emulator: ModemEmulator;
  let modem: Modem;
  let heard: Heard;
  const open = async (behaviour = {}, answerMs?: number): Promise<void> => {
    [emulator] = startModems(folder, 1, behaviour) as [ModemEmulator];
    modem = newModem(emulator, answerMs);
    heard = listen();
    await modem.open(heard);
    expect(modem.state().up).toBe(true);
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-serial-'));
  });
  afterEach(async () => {
    await modem.close();
    emulator.close();
    rmSync(folder, { recursive: true });
  });

  test('a report that comes before the answer to its message is told after it', async () => {
    await open({ latencyMs: 200, receipts: { delayMs: 0 } });
    const { outcome, before } = await modem
      .send(newOutgoing())
      .then(({ outcome }) => ({ outcome, before: heard.reports.length }));
    expect({ outcome, before }).toEqual({ outcome: 'sent', before: 0 });
    await vi.waitFor(() => expect(heard.reports).toHaveLength(1), PATIENT);
  });

  test.each(['SM', 'SR'] as const)(
    'reports that the modem stores in %s between the parts of their message are told after its answer',
    async (reportMemory) => {
      await open({ latencyMs: 300, receipts: { delayMs: 0 }, reportMemory });
      const { outcome, before } = await modem
        .send(newOutgoing({ text: 'x'.repeat(400) }))
        .then(({ outcome }) => ({ outcome, before: heard.reports.length }));
      expect({ outcome, before }).toEqual({ outcome: 'sent', before: 0 });
      await vi.waitFor(() => expect(heard.reports).toHaveLength(3), PATIENT);
      await vi.waitFor(() => expect(emulator.stored()).toBe(0), PATIENT);
      expect(emulator.strange).toEqual([]);
    },
  );

  test('says who it is, how strong its signal is and in which network', async () => {
    await open();
    expect(modem.state()).toEqual({
      up: true,
      reason: undefined,
      imsi: emulator.imsi,
      number: emulator.number,
      signal: 65,
      network: 'Posthorn Net',
    });
    expect(emulator.strange).toEqual([]);
  });

  test.each([
    ['busy', { outcome: 'refused', code: 'BUSY', retryable: true }],
    ['no-network', { outcome: 'refused', code: 'NO_NETWORK', retryable: true }],
    ['cms-38', { outcome: 'refused', code: 'CMS-38', retryable: true }],
    ['cms-30', { outcome: 'refused', code: 'CMS-30', retryable: false }],
    ['cms-96', { outcome: 'refused', code: 'CMS-96', retryable: false }],
    ['cms-500', { outcome: 'unknown', code: 'CMS-500' }],
    ['late-error', { outcome: 'unknown', code: 'CMS-332' }],
    ['lost-answer', { outcome: 'unknown', code: 'NO_ANSWER' }],
  ] as const)('the failure %s has its outcome', async (fault, outcome) => {
    await open({}, fault === 'lost-answer' ? SILENT_MS : undefined);
    const message = newOutgoing();
    emulator.behaviour.faults[message.recipient] = fault;
    expect(await modem.send(message)).toMatchObject(outcome);
  });

  test('an answer that comes too late is not taken for that of the next message', async () => {
    // It comes while the modem is set up anew, which takes 400 ms at least, and before the next message.
    await open({ latencyMs: SILENT_MS + 250 }, SILENT_MS);
    expect(await modem.send(newOutgoing())).toMatchObject({ outcome: 'unknown', code: 'NO_ANSWER' });
    emulator.behaviour.latencyMs = 0;
    const next = newOutgoing();
    let outcome = await modem.send(next);
    await vi.waitFor(async () => {
      if (outcome.outcome === 'refused') outcome = await modem.send(next);
      expect(outcome.outcome).toBe('sent');
    }, PATIENT);
    const taken = readFacts(emulator.facts).findLast((fact) => fact.kind === 'part');
    expect(taken).toMatchObject({ to: next.recipient, reference: Number(outcome.references[0]) });
    expect(countOf(emulator, next)).toBe(1);
  });

  test('without a prompt nothing was sent', async () => {
    await open({ silent: true }, SILENT_MS);
    const message = newOutgoing();
    expect(await modem.send(message)).toMatchObject({
      outcome: 'refused',
      code: 'NO_ANSWER',
      retryable: true,
    });
    expect(countOf(emulator, message)).toBe(0);
  });

  test('a long message of which a part was refused is unknown, and is told with what was sent', async () => {
    await open();
    const message = newOutgoing({ text: 'x'.repeat(400) });
    const { behaviour } = emulator;
    let asked = 0;
    behaviour.faults = new Proxy({}, { get: () => (++asked === 2 ? 'cms-38' : undefined) });
    const outcome = await modem.send(message);
    expect(outcome).toMatchObject({ outcome: 'unknown', code: 'CMS-38', parts: 3 });
    expect(outcome.references).toHaveLength(1);
  });

  test('reports come late and twice, are acknowledged one by one, and none stays in the modem', async () => {
    await open({ receipts: { delayMs: 100, twice: true } });
    const references: (string | undefined)[] = [];
    for (let at = 0; at < 3; at++) references.push((await modem.send(newOutgoing())).references[0]);
    await vi.waitFor(() => expect(heard.reports).toHaveLength(6), PATIENT);
    expect(new Set(heard.reports.map(({ reference }) => reference))).toEqual(new Set(references));
    expect(emulator.stored()).toBe(0);
  });

  test('what came in while nobody listened is read, long messages in parts', async () => {
    const text = '很長的訊息😀'.repeat(30);
    [emulator] = startModems(folder, 1) as [ModemEmulator];
    emulator.receive({ from: '+85261119999', text });
    modem = newModem(emulator);
    heard = listen();
    await modem.open(heard);
    await vi.waitFor(() => expect(emulator.stored()).toBe(0), PATIENT);
    expect(heard.arrivals.map((one) => one.text).join('')).toBe(text);
    expect(heard.arrivals[0]?.concatenation).toMatchObject({ number: 1, total: heard.arrivals.length });
    expect(heard.deletedKeys).toEqual(heard.arrivals.map(({ key }) => key));
  });

  test('what could not be noted stays in the modem, and is read again', async () => {
    await open();
    const { arrived } = heard;
    let canNote = false;
    let attempts = 0;
    heard.arrived = (arrival) => {
      attempts += 1;
      if (!canNote) throw new Error('the disk is full');
      arrived(arrival);
    };
    await modem.close();
    modem = newModem(emulator);
    await modem.open(heard);
    emulator.receive({ from: '+85261119999', text: 'Hello' });
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(2), PATIENT);
    expect(emulator.stored()).toBe(1);
    canNote = true;
    await vi.waitFor(() => expect(heard.arrivals).toHaveLength(1), PATIENT);
    await vi.waitFor(() => expect(emulator.stored()).toBe(0), PATIENT);
  });

  test('what nobody can read does not fill its store', async () => {
    await open();
    emulator.keep('0004ZZ');
    await vi.waitFor(() => expect(emulator.stored()).toBe(0), PATIENT);
    expect(heard.arrivals).toEqual([]);
  });

  test('asks the network for the balance', async () => {
    await open();
    expect(await modem.ask('*101#')).toBe('Balance: HKD 48.50. Valid until 2027-03-31.');
  });

  test('a modem that is unplugged and plugged in again goes on', async () => {
    await open();
    emulator.close();
    await vi.waitFor(() => expect(modem.state().up).toBe(false), PATIENT);
    expect(await modem.send(newOutgoing())).toMatchObject({ outcome: 'refused', retryable: true });
    [emulator] = startModems(folder, 1) as [ModemEmulator];
    await vi.waitFor(() => expect(modem.state().up).toBe(true), PATIENT);
    expect(await modem.send(newOutgoing())).toMatchObject({ outcome: 'sent' });
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Arrival, DeliveryReport, Modem, ModemEvents, ModemMessage } from '../../agent/modems/modem.ts';

/** A driver with the far end that it talks to. */
export interface ModemUnderTest {
  /** Not opened yet. */
  modem: Modem;
  /** How often the far end sent this text to this recipient, as a whole. */
  taken: (message: ModemMessage) => number;
  /** Makes messages to this recipient fail in this way. */
  fail: (recipient: string, how: 'refused for good' | 'refused for now' | 'lost answer') => void;
  /** Makes the far end report on a message that it took. */
  report: (references: string[], recipient: string, state: 'delivered' | 'failed') => void;
  /** Somebody writes to the SIM. */
  receive: (message: { from: string; text: string }) => void;
  /** Whether the SIM is in a network. */
  setRegistered: (registered: boolean) => void;
  close: () => Promise<void> | void;
}

export const PATIENT = { timeout: 60_000, interval: 50 };

let lastRecipient = 61_200_000;
const newRecipient = (): string => `+852${++lastRecipient}`;
export const newOutgoing = (rest: Partial<ModemMessage> = {}): ModemMessage => ({
  id: `${randomUUID()}.1`,
  recipient: newRecipient(),
  text: `Your code is ${randomUUID().slice(0, 8)}.`,
  validityMinutes: 1_440,
  receipt: true,
  again: false,
  expired: false,
  ...rest,
});

export interface Heard extends ModemEvents {
  reports: DeliveryReport[];
  arrivals: Arrival[];
  deletedKeys: string[];
}
export const listen = (): Heard => {
  const heard = { reports: [] as DeliveryReport[], arrivals: [] as Arrival[], deletedKeys: [] as string[] };
  /** As the journal does: what is read again before it is deleted is the same. */
  const known = new Set<string>();
  return {
    ...heard,
    report: (report) => void heard.reports.push(report),
    arrived: (arrival) => {
      if (!known.has(arrival.key)) heard.arrivals.push(arrival);
      known.add(arrival.key);
    },
    deleted: (key) => {
      known.delete(key);
      heard.deletedKeys.push(key);
    },
    changed: () => {},
  };
};

/** Long ones in both alphabets, cut where a character takes two places. */
export const LONG_TEXTS = [
  `Long ${'0123456789'.repeat(15)}${'€'.repeat(20)} end\nand a second line`,
  `很長${'的訊息😀'.repeat(30)}完`,
];

const TEXTS = [
  'Plain words, 0123456789 & more.',
  'Totals: {€5} [~|^\\] @ £ $ ñ é\nand a second line',
  '你好，你的驗證碼是 1234。',
  'Emoji 👩‍👩‍👧‍👦 and combining é',
  `${'€'.repeat(90)} with escapes at the cut`,
  ...LONG_TEXTS,
];

/** Of the far end; `opening`: it refuses what it is given before it is open. */
type Ability = 'deletes' | 'opening';

interface SuiteOptions {
  lacking?: readonly Ability[];
  texts?: readonly string[];
  /** Of a driver that takes long for each thing it does. */
  patienceMs?: number;
}

/** The behaviour that every driver must have. */
export const modemSuite = (
  name: string,
  make: () => Promise<ModemUnderTest>,
  { lacking = [], texts = TEXTS, patienceMs = 20_000 }: SuiteOptions = {},
): void => {
  const patient = { timeout: patienceMs, interval: 50 };
  describe(`${name}, as any modem`, { timeout: 3 * patienceMs }, () => {
    let under: ModemUnderTest;
    let modem: Modem;
    const heard = listen();

    beforeAll(async () => {
      under = await make();
      modem = under.modem;
    });
    afterAll(async () => {
      await modem.close();
      await under.close();
    });

    const testOpening = lacking.includes('opening') ? () => {} : test;
    testOpening('what is given before it is open was certainly not sent', async () => {
      const message = newOutgoing();
      expect(await modem.send(message)).toMatchObject({ outcome: 'refused', retryable: true });
      expect(under.taken(message)).toBe(0);
    });

    test('it opens and is up', async () => {
      await modem.open(heard);
      await vi.waitFor(() => expect(modem.state()).toMatchObject({ up: true }), patient);
    });

    test.each(texts)('a text arrives unchanged and once: %s', async (text) => {
      const message = newOutgoing({ text });
      const outcome = await modem.send(message);
      expect(outcome).toMatchObject({ outcome: 'sent' });
      expect(outcome.references).toHaveLength(outcome.parts);
      expect(under.taken(message)).toBe(1);
    });

    test('a message that is refused for good says so', async () => {
      const message = newOutgoing();
      under.fail(message.recipient, 'refused for good');
      expect(await modem.send(message)).toMatchObject({
        outcome: 'refused',
        retryable: false,
        references: [],
      });
      expect(under.taken(message)).toBe(0);
    });

    test('a message that is refused for now may be tried again', async () => {
      const message = newOutgoing();
      under.fail(message.recipient, 'refused for now');
      expect(await modem.send(message)).toMatchObject({ outcome: 'refused', retryable: true });
      expect(under.taken(message)).toBe(0);
    });

    test('a lost answer is never a second message, and the next one is sent', async () => {
      const message = newOutgoing();
      under.fail(message.recipient, 'lost answer');
      const { outcome } = await modem.send(message);
      expect(outcome).toBe(modem.idempotent ? 'sent' : 'unknown');
      expect(under.taken(message)).toBe(1);
      const next = newOutgoing();
      await vi.waitFor(() => expect(modem.state().up).toBe(true), patient);
      await vi.waitFor(async () => expect((await modem.send(next)).outcome).toBe('sent'), patient);
      expect(under.taken(next)).toBe(1);
    });

    test.each(['delivered', 'failed'] as const)(
      'a report that a message is %s comes, with its reference',
      async (state) => {
        const message = newOutgoing();
        const { references } = await modem.send(message);
        under.report(references, message.recipient, state);
        await vi.waitFor(
          () =>
            expect(heard.reports).toContainEqual(
              expect.objectContaining({ reference: references[0], state }),
            ),
          patient,
        );
      },
    );

    test('a message that came in is told once, and then deleted where that is possible', async () => {
      const from = newRecipient();
      under.receive({ from, text: 'Yes {please} €\nsecond line' });
      await vi.waitFor(
        () =>
          expect(heard.arrivals.filter((one) => one.from === from)).toMatchObject([
            { text: 'Yes {please} €\nsecond line', concatenation: undefined },
          ]),
        patient,
      );
      const key = heard.arrivals.find((one) => one.from === from)?.key;
      if (!lacking.includes('deletes'))
        await vi.waitFor(() => expect(heard.deletedKeys).toContain(key), patient);
    });

    test('two messages of the same text are two', async () => {
      const from = newRecipient();
      under.receive({ from, text: '同樣' });
      await vi.waitFor(
        () => expect(heard.arrivals.filter((one) => one.from === from)).toHaveLength(1),
        patient,
      );
      under.receive({ from, text: '同樣' });
      await vi.waitFor(
        () => expect(heard.arrivals.filter((one) => one.from === from)).toHaveLength(2),
        patient,
      );
      expect(heard.arrivals.find((one) => one.from === from)?.text).toBe('同樣');
    });

    test('without a network it says so, and nothing is sent', async () => {
      under.setRegistered(false);
      await vi.waitFor(() => expect(modem.state().up).toBe(false), patient);
      expect(modem.state().reason).toMatch(/./);
      under.setRegistered(true);
      await vi.waitFor(() => expect(modem.state().up).toBe(true), patient);
    });
  });
};

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { AccountId } from '../../contract/customer/accounts.ts';
import type { MessageId } from '../../contract/traffic/messages.ts';
import type { Carrier, CarrierEvents, Inbound, Outgoing, Receipt } from '../../server/traffic/lanes/index.ts';

/** A carrier with the far end that it talks to. */
export interface CarrierUnderTest {
  /** Not opened yet. */
  carrier: Carrier;
  /** A recipient that accepts, a new one each time. */
  recipient: () => string;
  sender: string | undefined;
  /** How often the far end accepted a message with this recipient and text. */
  taken: (message: Outgoing) => Promise<number> | number;
  /** A recipient that is refused for good. */
  refuses: () => string;
  /** A recipient that is refused for now. */
  refusesForNow?: () => string;
  /** A recipient whose message is never answered; the carrier has to give up within a few seconds. */
  staysSilent?: () => string;
  /** Makes the far end send a receipt for a message that it accepted. */
  report?: (providerMessageId: string, state: 'delivered' | 'failed') => Promise<void> | void;
  /** Makes somebody write to us. */
  write?: (message: { from: string; to: string; text: string }) => Promise<void> | void;
  /** Ends the connection; it may be opened again. */
  cut?: () => Promise<void> | void;
  /** More texts that must arrive unchanged. */
  texts?: string[];
  close: () => Promise<void>;
}

export const newOutgoing = (rest: Partial<Outgoing> & { recipient: string }): Outgoing => ({
  id: randomUUID() as MessageId,
  accountId: randomUUID() as AccountId,
  from: undefined,
  text: `Your code is ${randomUUID().slice(0, 8)}.`,
  subject: undefined,
  html: undefined,
  ...rest,
});

const having = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error("the far end can't do this: name it as lacking");
  return value;
};

export interface Heard extends CarrierEvents {
  receipts: Receipt[];
  inbounds: Inbound[];
  states: { up: boolean; reason: string }[];
}

/** Collects events as they come. */
export const listen = (): Heard => {
  const heard = { receipts: [] as Receipt[], inbounds: [] as Inbound[], states: [] as Heard['states'] };
  return {
    ...heard,
    receipt: async (receipt) => void heard.receipts.push(receipt),
    inbound: async (inbound) => void heard.inbounds.push(inbound),
    state: (state) => void heard.states.push(state),
  };
};

const TEXTS = [
  'Plain words, 0123456789 & more.',
  'Totals: {€5} [~|^\\] @ £ $ ñ é',
  '你好，你的驗證碼是 1234。',
  'Emoji 👩‍👩‍👧‍👦 and combining é',
  `Long ${'0123456789'.repeat(40)} end`,
  `很長${'的訊息😀'.repeat(40)}完`,
];

/** Of the far end; `reportsAgain`: a receipt that could not be stored is sent again. */
type Ability = 'refusesForNow' | 'staysSilent' | 'report' | 'reportsAgain' | 'write' | 'cut';

/** The behaviour that every carrier must have. What a far end can't do is named in `lacking`, and not tested. */
export const carrierSuite = (
  name: string,
  make: () => Promise<CarrierUnderTest>,
  lacking: readonly Ability[] = [],
): void => {
  const can = (...abilities: Ability[]): boolean => !abilities.some((ability) => lacking.includes(ability));

  describe(`${name}, as any carrier`, () => {
    let under: CarrierUnderTest;
    let carrier: Carrier;
    const heard = listen();
    /** Whether a receipt can be stored just now. */
    let canStore = true;
    const refusedReceipts: Receipt[] = [];

    beforeAll(async () => {
      under = await make();
      carrier = under.carrier;
    });
    afterAll(async () => {
      await carrier.close(1_000);
      await under.close();
    });

    const compose = (rest: Partial<Outgoing> = {}): Outgoing =>
      newOutgoing({ recipient: under.recipient(), from: under.sender, ...rest });
    const accept = async (message: Outgoing): Promise<string> => {
      const said = await carrier.send(message);
      if (said.outcome !== 'accepted') throw new Error(`it is ${said.outcome}: ${said.reason}`);
      return said.providerMessageId;
    };
    const isUpAgain = () => vi.waitFor(() => expect(carrier.isUp()).toBe(true));
    /** Until it is noticed: before that, what is sent is lost with the connection. */
    const cutOff = async () => {
      const before = heard.states.length;
      await having(under.cut)();
      await vi.waitFor(() => expect(heard.states.slice(before).some(({ up }) => !up)).toBe(true));
    };

    test('what is given before it is open was certainly not sent', async () => {
      expect(carrier.isUp()).toBe(false);
      const message = compose();
      expect(await carrier.send(message)).toMatchObject({ outcome: 'refused', retryable: true });
      expect(await under.taken(message)).toBe(0);
    });

    test('it opens and says so', async () => {
      await carrier.open({
        ...heard,
        receipt: async (receipt) => {
          if (!canStore) {
            refusedReceipts.push(receipt);
            throw new Error('the store is away');
          }
          await heard.receipt(receipt);
        },
      });
      await isUpAgain();
      expect(heard.states.at(-1)).toMatchObject({ up: true });
      expect(carrier.window).toBeGreaterThan(0);
    });

    test('a message is taken once, and has an id of the far end', async () => {
      const message = compose();
      expect(await accept(message)).toMatch(/./);
      expect(await under.taken(message)).toBe(1);
    });

    test('a whole window at once is taken, each once and under its own id', async () => {
      const messages = Array.from({ length: Math.min(carrier.window, 200) }, () => compose());
      const ids = await Promise.all(messages.map(accept));
      expect(new Set(ids).size).toBe(messages.length);
      for (const message of messages) expect(await under.taken(message)).toBe(1);
    });

    test('texts of all alphabets and lengths arrive as they are', async () => {
      for (const text of [...TEXTS, ...(under.texts ?? [])]) {
        const message = compose({ text });
        await accept(message);
        expect([text, await under.taken(message)]).toEqual([text, 1]);
      }
    });

    test('a refusal for good has a code and a reason, and nothing was taken', async () => {
      const message = compose({ recipient: under.refuses() });
      expect(await carrier.send(message)).toEqual({
        outcome: 'refused',
        code: expect.stringMatching(/./),
        reason: expect.stringMatching(/./),
        retryable: false,
      });
      expect(await under.taken(message)).toBe(0);
    });

    if (can('refusesForNow'))
      test('a refusal for now may be tried again, and nothing was taken', async () => {
        const message = compose({ recipient: having(under.refusesForNow)() });
        expect(await carrier.send(message)).toMatchObject({ outcome: 'refused', retryable: true });
        expect(await under.taken(message)).toBe(0);
      });

    if (can('staysSilent'))
      test('a message that is never answered is unknown, and holds up no other', async () => {
        const silent = carrier.send(compose({ recipient: having(under.staysSilent)() }));
        let settled = false;
        void silent.then(() => {
          settled = true;
        });
        await accept(compose());
        expect(settled).toBe(false);
        expect(await silent).toEqual({ outcome: 'unknown', reason: expect.stringMatching(/./) });
        await isUpAgain();
        await accept(compose());
      });

    if (can('report'))
      test.each(['delivered', 'failed'] as const)('a receipt says that the message was %s', async (state) => {
        const providerMessageId = await accept(compose());
        await having(under.report)(providerMessageId, state);
        await vi.waitFor(() =>
          expect(heard.receipts).toContainEqual(
            expect.objectContaining({
              providerMessageId,
              state,
              at: expect.any(Date),
              code: expect.any(String),
            }),
          ),
        );
      });

    if (can('report', 'reportsAgain'))
      test('a receipt that could not be stored comes again', async () => {
        const providerMessageId = await accept(compose());
        canStore = false;
        await having(under.report)(providerMessageId, 'delivered');
        const mine = (receipts: Receipt[]) =>
          receipts.filter((receipt) => receipt.providerMessageId === providerMessageId);
        await vi.waitFor(() => expect(mine(refusedReceipts).length).toBeGreaterThan(0));
        expect(mine(heard.receipts)).toHaveLength(0);
        canStore = true;
        await vi.waitFor(() => expect(mine(heard.receipts)).toHaveLength(1));
      });

    if (can('write'))
      test('what somebody writes to us is heard once', async () => {
        const written = {
          from: under.recipient(),
          to: under.sender ?? under.recipient(),
          text: '收到, thanks ✅',
        };
        await having(under.write)(written);
        await vi.waitFor(() =>
          expect(heard.inbounds).toContainEqual(
            expect.objectContaining({
              ...written,
              providerMessageId: expect.stringMatching(/./),
              at: expect.any(Date),
            }),
          ),
        );
        expect(heard.inbounds.filter(({ from }) => from === written.from)).toHaveLength(1);
      });

    if (can('cut'))
      test('a connection that is cut comes back by itself', async () => {
        await cutOff();
        await isUpAgain();
        const message = compose();
        await accept(message);
        expect(await under.taken(message)).toBe(1);
      });

    if (can('cut', 'staysSilent'))
      test('what is in flight when the connection is cut is unknown, not lost and not sent again', async () => {
        const message = compose({ recipient: having(under.staysSilent)() });
        const silent = carrier.send(message);
        await vi.waitFor(async () => expect(await under.taken(message)).toBe(1));
        await cutOff();
        expect(await silent).toMatchObject({ outcome: 'unknown' });
        await isUpAgain();
        await accept(compose());
        expect(await under.taken(message)).toBe(1);
      });

    test('closing lets what is in flight finish; what comes after was certainly not sent', async () => {
      const [first, late] = [compose(), compose()];
      const inFlight = carrier.send(first);
      await carrier.close(5_000);
      expect(await inFlight).toMatchObject({ outcome: 'accepted' });
      expect(carrier.isUp()).toBe(false);
      expect(await carrier.send(late)).toMatchObject({ outcome: 'refused', retryable: true });
      expect(await under.taken(late)).toBe(0);
      await carrier.close(100);
    });
  });
};

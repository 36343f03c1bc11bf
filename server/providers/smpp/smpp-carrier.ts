import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents, Outgoing, SendOutcome } from '../../lanes/index.ts';
import { readAddress, senderAddress } from './address.ts';
import { type Bind, keepBound } from './bind.ts';
import { compose } from './compose.ts';
import { contentOf, decodeOctets } from './decode-content.ts';
import { messageIds } from './message-ids.ts';
import type { ReceivedMessage } from './message-reader.ts';
import { openOutbox } from './outbox.ts';
import { openPartReceipts } from './part-receipts.ts';
import type { Address, MessageFields } from './pdu-writer.ts';
import { type ReadReceipt, readReceipt, STATE_NAMES } from './read-receipt.ts';
import { openReassembly } from './reassembly.ts';
import { receiptTime } from './receipt-time.ts';
import { sendParts } from './send-parts.ts';
import { COMMON_OPTIONS, type SmppOptions } from './smpp-options.ts';
import type { Refusal } from './statuses.ts';

/** Options with a usual value may be left out. */
type SmppSettings = Partial<SmppOptions> & Pick<SmppOptions, 'host' | 'port' | 'systemId' | 'password'>;

const HOLD_PART_MS = 1_000;
const EARLY_RECEIPT_MS = 2_000;
const UNBIND_MS = 2_000;
const POLL_MS = 5;

const notSent = (code: string, reason: string): Refusal => ({
  outcome: 'refused',
  code,
  reason,
  retryable: true,
});
const AWAY = notSent('NOT_CONNECTED', 'There is no connection to the message centre.');
const BUSY = notSent('BUSY', 'There was no room in the window for too long.');

const UNHEARD: CarrierEvents = { receipt: async () => {}, inbound: async () => {}, state: () => {} };

/** A message centre that is reached by SMPP 3.4. */
export const smppCarrier = (settings: SmppSettings): Carrier => {
  const options: SmppOptions = { ...COMMON_OPTIONS, ...settings };
  const ids = messageIds(options.receipts ? options.receiptIds : 'same');
  const partReceipts = openPartReceipts();
  /** Long messages that wait for answers. */
  const longOnes = new Set<Promise<unknown>>();
  let longOnesAnswered: Promise<unknown> | undefined;
  let events = UNHEARD;
  let binds: Bind[] = [];
  let reference = randomInt(256);
  let closing = false;
  let delivering = 0;
  let sending = 0;
  let timer: NodeJS.Timeout | undefined;
  let told = { up: false, reason: '' };

  const isConnected = (): boolean => binds.some((bind) => bind.isUp());
  const isUp = (): boolean => !closing && isConnected();
  const outbox = openOutbox(() => binds);

  const reassembly = openReassembly({
    store: (whole) => events.inbound({ ...whole, providerMessageId: randomUUID(), at: new Date() }),
    limitMs: options.reassemblyMs,
    holdMs: HOLD_PART_MS,
  });

  /**
   * While answers of long messages are outstanding, it is not known whether a receipt is for a part of one. The receipt
   * waits for a while; receipts that arrive together wait together.
   */
  const answeredLongOnes = (): Promise<unknown> => {
    longOnesAnswered ??= Promise.race([
      Promise.all(longOnes),
      sleep(EARLY_RECEIPT_MS, undefined, { ref: false }),
    ]);
    return longOnesAnswered;
  };

  const takeReceipt = async (read: ReadReceipt, source: Address): Promise<void> => {
    const { messageId, state, code, doneDate } = read;
    if (messageId === '') return;
    const recipient = readAddress(source, options.addressing);
    if (longOnes.size > 0 && !partReceipts.knows(ids.receipted(messageId))) await answeredLongOnes();
    const receipt = { providerMessageId: ids.receipted(messageId), state, code, recipient };
    await events.receipt(
      partReceipts.merge({ ...receipt, at: receiptTime(doneDate, options.utcOffsetMinutes) }),
    );
  };

  const takeInbound = async (message: ReceivedMessage): Promise<void> => {
    const content = contentOf(message);
    const from = readAddress(message.source, options.addressing);
    const to = readAddress(message.destination, options.addressing);
    if (content.part) return reassembly.add({ from, to, content, part: content.part });
    const text = decodeOctets(content.octets, content.dataCoding);
    await events.inbound({ providerMessageId: randomUUID(), from, to, text, at: new Date() });
  };

  const deliver = async (message: ReceivedMessage): Promise<void> => {
    delivering += 1;
    try {
      const receipt = readReceipt(message, options);
      await (receipt ? takeReceipt(receipt, message.source) : takeInbound(message));
    } finally {
      delivering -= 1;
    }
  };

  const changed = (reason: string): void => {
    const up = isConnected();
    if (!up) outbox.giveBack(AWAY);
    // While it is down each new reason is reported, because it says what to repair.
    if (up === told.up && (up || reason === told.reason)) return;
    told = { up, reason };
    events.state(told);
  };

  const nextReference = (): number => {
    reference = (reference + 1) % 256;
    return reference;
  };

  const submit = (fields: MessageFields): Promise<SendOutcome> =>
    isConnected() ? new Promise((settle) => outbox.submit(fields, settle)) : Promise.resolve(AWAY);

  const accepted = (message: Outgoing, id: string): SendOutcome => ({
    outcome: 'accepted',
    // Without the far end's id no receipt can be matched, but the message is accepted all the same.
    providerMessageId: id === '' ? message.id : ids.answered(id),
  });

  const sendAllParts = async (message: Outgoing, parts: MessageFields[]): Promise<SendOutcome> => {
    const said = await sendParts(parts, submit);
    if (said.outcome !== 'accepted') return said;
    const known = said.ids.map((id) => (id === '' ? id : ids.answered(id)));
    if (known.every((id) => id !== '')) partReceipts.expect(known);
    return { outcome: 'accepted', providerMessageId: known[0] || message.id };
  };

  const sendLong = async (message: Outgoing, parts: MessageFields[]): Promise<SendOutcome> => {
    const long = sendAllParts(message, parts);
    longOnes.add(long);
    longOnesAnswered = undefined;
    try {
      return await long;
    } finally {
      longOnes.delete(long);
    }
  };

  return {
    provider: 'smpp',
    channel: 'sms',
    simulated: false,
    window: options.binds * options.window,
    open: async (heard) => {
      events = heard;
      binds = Array.from({ length: options.binds }, () =>
        keepBound(options, { changed, room: outbox.pump, deliver }),
      );
      timer = setInterval(() => {
        outbox.giveBack(BUSY, options.timeoutMs);
        void reassembly.sweep();
      }, Math.min(options.timeoutMs, options.reassemblyMs) / 4);
      await Promise.all(binds.map((bind) => bind.open()));
    },
    isUp,
    // One promise for each, and none in between: tens of thousands are sent per second.
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!isUp()) return resolve(AWAY);
        const composed = compose(message, options, nextReference);
        if (!Array.isArray(composed)) return resolve(composed);
        const [only] = composed;
        sending += 1;
        if (composed.length === 1 && only)
          return outbox.submit(only, (said) => {
            sending -= 1;
            resolve(said.outcome === 'accepted' ? accepted(message, said.providerMessageId) : said);
          });
        sendLong(message, composed)
          .finally(() => {
            sending -= 1;
          })
          .then(resolve, reject);
      }),
    // It can be asked only by its own id, and of a message in doubt it gave one for a part at most: what became of that
    // part is told, and decides nothing.
    ask: async ({ providerMessageId, from }) => {
      const unknown = (said: string) => ({ state: 'unknown' as const, code: '', said });
      if (providerMessageId === null)
        return unknown('The message centre gave no id that it could be asked by.');
      const bind = binds.find((one) => one.isUp());
      if (!bind) return unknown('There is no connection to the message centre.');
      const source = senderAddress(from, options.addressing) ?? { ton: 0, npi: 0, digits: '' };
      const answer = await bind.query(providerMessageId, source);
      if (typeof answer === 'string') return unknown(answer);
      const state = STATE_NAMES[answer.state] ?? String(answer.state);
      return unknown(`Of a part that it took it says ${state}${answer.error ? `:${answer.error}` : ''}.`);
    },
    close: async (timeoutMs) => {
      closing = true;
      const until = performance.now() + timeoutMs;
      while ((sending > 0 || delivering > 0) && performance.now() < until) await sleep(POLL_MS);
      outbox.giveBack(AWAY);
      clearInterval(timer);
      await reassembly.sweep(true);
      await Promise.all(binds.map((bind) => bind.close(UNBIND_MS)));
    },
  };
};

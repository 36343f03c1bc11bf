import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, CarrierEvents, Outgoing, PartNote, SendOutcome } from '../../traffic/lanes/index.ts';
import { readAddress, senderAddress } from './address.ts';
import { type Bind, keepBound } from './bind.ts';
import { contentOf, decodeOctets } from './codec/decode-content.ts';
import type { ReceivedMessage } from './codec/message-reader.ts';
import type { Address, MessageFields } from './codec/pdu-writer.ts';
import { isThrottle, type Refusal } from './codec/statuses.ts';
import { compose } from './compose.ts';
import { messageIds } from './message-ids.ts';
import { openOutbox } from './outbox.ts';
import { type ReadReceipt, readReceipt, STATE_NAMES } from './read-receipt.ts';
import { openReassembly } from './reassembly.ts';
import { receiptTime } from './receipt-time.ts';
import { isLastTry, pauseMs, sendParts } from './send-parts.ts';
import { COMMON_OPTIONS, type SmppOptions } from './smpp-options.ts';
import type { Settle } from './submits.ts';

/** Options with a usual value may be left out. */
type SmppSettings = Partial<SmppOptions> & Pick<SmppOptions, 'host' | 'port' | 'systemId' | 'password'>;

const HOLD_PART_MS = 1_000;
/** A message centre that has taken nothing for this long takes nothing. */
const TAKING_MS = 1_000;
/** What has waited for room for longer goes back to its lane, unless a part of it went out. */
const WAIT_MS = 2_000;
const UNBIND_MS = 2_000;
const POLL_MS = 5;
/** The average of parts is one of about so many messages. */
const PARTS_OF = 16;

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
  let events = UNHEARD;
  let binds: Bind[] = [];
  let reference = randomInt(256);
  let closing = false;
  let delivering = 0;
  let sending = 0;
  /** Since the last look for room, a message was settled. */
  let hasSettled = false;
  /** Of the messages sent lately, on average. */
  let partsEach = 1;
  let takenAt = Number.NEGATIVE_INFINITY;
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

  const takeReceipt = async (read: ReadReceipt, source: Address): Promise<void> => {
    const { messageId, state, code, doneDate } = read;
    if (messageId === '') return;
    const recipient = readAddress(source, options.addressing);
    const at = receiptTime(doneDate, options.utcOffsetMinutes);
    const providerMessageId = ids.receipted(messageId);
    const otherIds = ids.others(messageId).filter((id) => id !== providerMessageId);
    const ofPart = options.longMessages === 'udh' ? { ofPart: true as const } : {};
    await events.receipt({
      providerMessageId,
      ...(otherIds.length > 0 && { otherIds }),
      state,
      code,
      recipient,
      at,
      ...ofPart,
    });
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

  /** A message that is settled lets the next one go by itself; other room has to be told. */
  const pump = (): void => {
    outbox.pump();
    if (!hasSettled && outbox.room() > 0) events.room?.();
    hasSettled = false;
  };
  const overdue = (): void => {
    hasSettled = false;
    pump();
  };

  const nextReference = (): number => {
    reference = (reference + 1) % 256;
    return reference;
  };

  /** Whether the far end has taken something just now, even if it refuses this. */
  const isTaking = (): boolean => !closing && performance.now() - takenAt < TAKING_MS;
  /** Without the far end's id no receipt can be matched, but the message is accepted all the same. */
  const accepted = (said: SendOutcome): SendOutcome => {
    if (said.outcome !== 'accepted') return said;
    takenAt = performance.now();
    const { providerMessageId } = said;
    return providerMessageId === '' ? said : { ...said, providerMessageId: ids.answered(providerMessageId) };
  };
  const whole = (message: Outgoing, said: SendOutcome): SendOutcome =>
    said.outcome === 'accepted' && said.providerMessageId === ''
      ? { ...said, providerMessageId: message.id }
      : said;

  const noteOf = (message: Outgoing, note: PartNote): boolean => events.part?.(message, note) ?? true;

  /** One that is throttled while others are taken is tried again alone: the lane goes on. In between it was not sent. */
  const submitOne = (message: Outgoing, fields: MessageFields, settle: Settle, repeat = 0): void => {
    const note = (state: 'waiting' | 'unknown'): boolean =>
      noteOf(message, { number: 1, total: 1, part: { state } });
    // The first time that it is handed over is noted by whoever handed it to us.
    const rest = repeat > 0 ? { handed: () => note('unknown'), isBegun: () => false } : undefined;
    const again = (said: SendOutcome): void => {
      note('waiting');
      setTimeout(() => {
        if (isUp()) submitOne(message, fields, settle, repeat + 1);
        else settle(said);
      }, pauseMs(repeat)).unref();
    };
    const answered = (said: SendOutcome): void => {
      const isRepeated = isThrottle(said) && !isLastTry(repeat) && isTaking();
      hasSettled ||= !isRepeated;
      if (isRepeated) again(said);
      else settle(accepted(said));
    };
    outbox.submit(fields, answered, rest);
  };

  const sendLong = (message: Outgoing, parts: MessageFields[]): Promise<SendOutcome> =>
    sendParts(parts, {
      submit: (fields, rest) =>
        isConnected()
          ? new Promise((settle) => outbox.submit(fields, (said) => settle(accepted(said)), rest))
          : Promise.resolve(AWAY),
      note: (note) => noteOf(message, note),
      isTaking,
    });

  return {
    provider: 'smpp',
    channel: 'sms',
    simulated: false,
    // One whose answer is overdue does not keep another from being handed over.
    get window() {
      return options.binds * options.window + binds.reduce((sum, bind) => sum + bind.overdue(), 0);
    },
    room: () => Math.ceil(outbox.room() / partsEach),
    open: async (heard) => {
      events = heard;
      binds = Array.from({ length: options.binds }, () =>
        keepBound(options, { changed, room: pump, overdue, deliver }),
      );
      timer = setInterval(
        () => {
          outbox.giveBackOld(BUSY, { whole: Math.min(WAIT_MS, options.timeoutMs), begun: options.timeoutMs });
          void reassembly.sweep();
        },
        Math.min(WAIT_MS, options.timeoutMs, options.reassemblyMs) / 4,
      );
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
        partsEach += (composed.length - partsEach) / PARTS_OF;
        const settle = (said: SendOutcome): void => {
          sending -= 1;
          resolve(whole(message, said));
        };
        if (composed.length === 1 && only) return submitOne(message, only, settle);
        sendLong(message, composed).then(settle, (error) => {
          sending -= 1;
          reject(error);
        });
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

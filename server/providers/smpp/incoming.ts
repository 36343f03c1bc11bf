import { randomUUID } from 'node:crypto';
import type { CarrierEvents } from '../../traffic/lanes/index.ts';
import { readSmppAddress } from './address.ts';
import { contentOf, decodeOctets } from './codec/decode-content.ts';
import type { SmppMessage } from './codec/message-reader.ts';
import type { SmppAddress } from './codec/pdu-writer.ts';
import type { messageIds } from './message-ids.ts';
import { type ReadReceipt, readReceipt } from './read-receipt.ts';
import { openReassembly } from './reassembly.ts';
import { receiptTime } from './receipt-time.ts';
import type { SmppOptions } from './smpp-options.ts';

const HOLD_PART_MS = 1_000;

type Told = Pick<CarrierEvents, 'receipt' | 'inbound'>;

/** What the message centre delivers: receipts, and messages to us with their parts put together. */
export const openIncoming = (
  options: SmppOptions,
  ids: ReturnType<typeof messageIds>,
  events: () => Told,
) => {
  const reassembly = openReassembly({
    store: (whole) => events().inbound({ ...whole, providerMessageId: randomUUID(), at: new Date() }),
    limitMs: options.reassemblyMs,
    holdMs: HOLD_PART_MS,
  });
  let delivering = 0;

  const takeReceipt = async (read: ReadReceipt, source: SmppAddress): Promise<void> => {
    const { messageId, state, code, doneDate } = read;
    if (messageId === '') return;
    const recipient = readSmppAddress(source, options.addressing);
    const at = receiptTime(doneDate, options.utcOffsetMinutes);
    const providerMessageId = ids.receipted(messageId);
    const otherIds = ids.others(messageId).filter((id) => id !== providerMessageId);
    await events().receipt({
      providerMessageId,
      ...(otherIds.length > 0 && { otherIds }),
      state,
      code,
      recipient,
      at,
      ...(options.longMessages === 'udh' && { ofPart: true as const }),
    });
  };
  const takeInbound = async (message: SmppMessage): Promise<void> => {
    const content = contentOf(message);
    const from = readSmppAddress(message.source, options.addressing);
    const to = readSmppAddress(message.destination, options.addressing);
    if (content.part) return reassembly.add({ from, to, content, part: content.part });
    const text = decodeOctets(content.octets, content.dataCoding);
    await events().inbound({ providerMessageId: randomUUID(), from, to, text, at: new Date() });
  };
  return {
    /** Whether something waits to be stored. */
    isDelivering: (): boolean => delivering > 0,
    sweep: reassembly.sweep,
    deliver: async (message: SmppMessage): Promise<void> => {
      delivering += 1;
      try {
        const receipt = readReceipt(message, options);
        await (receipt ? takeReceipt(receipt, message.source) : takeInbound(message));
      } finally {
        delivering -= 1;
      }
    },
  };
};

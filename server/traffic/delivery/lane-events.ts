import type { CarrierEvents, Inbound, Receipt } from '../lanes/index.ts';
import type { LaneRecorder } from '../outbox/index.ts';

/** PostgreSQL can't store NUL in a text. */
const clean = (text: string): string => text.replaceAll('\0', '');

/** Passes a carrier's reports to the lane's recorder. Each resolves once it is stored. */
export const receiptsInto =
  (recorder: LaneRecorder): CarrierEvents['receipt'] =>
  (receipt: Receipt) =>
    recorder.add({
      kind: 'receipt',
      receipt: {
        ...receipt,
        providerMessageId: clean(receipt.providerMessageId),
        code: clean(receipt.code),
        recipient: receipt.recipient && clean(receipt.recipient),
      },
    });

export const inboundInto =
  (recorder: LaneRecorder): CarrierEvents['inbound'] =>
  (inbound: Inbound) =>
    recorder.add({
      kind: 'inbound',
      inbound: {
        ...inbound,
        providerMessageId: clean(inbound.providerMessageId),
        from: clean(inbound.from),
        to: clean(inbound.to),
        text: clean(inbound.text),
      },
    });

import { type MessageFields, type SmppAddress, TLV } from '../../../server/providers/smpp/testing/codec.ts';

/** How receipts are sent. */
export interface ReceiptBehaviour {
  delayMs: number;
  /** Those of one delay may arrive in the reverse order, or before the answer to the submit. */
  order: 'kept' | 'reversed' | 'before-answer';
  /** How often each is sent. */
  times: number;
  /** The form of the id in a receipt; the answer to the submit is then in the other form. */
  ids: 'same' | 'decimal' | 'hex';
  form: 'text' | 'tlv';
}

export const USUAL_RECEIPTS: ReceiptBehaviour = {
  delayMs: 0,
  order: 'kept',
  times: 1,
  ids: 'same',
  form: 'text',
};

export type StateName = 'DELIVRD' | 'UNDELIV' | 'EXPIRED' | 'REJECTD' | 'ENROUTE';
const STATE_OCTET: Record<StateName, number> = { ENROUTE: 1, DELIVRD: 2, EXPIRED: 3, UNDELIV: 5, REJECTD: 8 };

export const answeredId = (number: number, { ids }: ReceiptBehaviour): string =>
  ids === 'decimal' ? number.toString(16).toUpperCase().padStart(8, '0') : String(number);

export const receiptedId = (number: number, { ids }: ReceiptBehaviour): string =>
  ids === 'hex' ? number.toString(16).toUpperCase() : String(number);

let [minute, written] = [0, ''];
/** The time in the format of receipts; formatting it for each would be most of their cost. */
const clock = (): string => {
  const now = Math.floor(Date.now() / 60_000);
  if (now !== minute) [minute, written] = [now, new Date().toISOString().replace(/\D/g, '').slice(2, 12)];
  return written;
};

/** A receipt goes from the recipient of the message to its sender. */
export const receiptFields = (
  { from, to }: { from: SmppAddress; to: SmppAddress },
  { id, state, form }: { id: string; state: StateName; form: ReceiptBehaviour['form'] },
): MessageFields => {
  const [delivered, error] = state === 'DELIVRD' ? ['001', '000'] : ['000', '011'];
  const text =
    form === 'tlv'
      ? ''
      : `id:${id} sub:001 dlvrd:${delivered} submit date:${clock()} done date:${clock()} stat:${state} err:${error} text:`;
  return {
    source: from,
    destination: to,
    esmClass: 0x04,
    registeredDelivery: 0,
    dataCoding: 0,
    content: Buffer.from(text, 'latin1'),
    asPayload: false,
    tlvs:
      form === 'tlv'
        ? [
            { tag: TLV.receiptedMessageId, value: Buffer.from(`${id}\0`, 'latin1') },
            { tag: TLV.messageState, value: Buffer.from([STATE_OCTET[state]]) },
          ]
        : undefined,
  };
};

import type { Receipt } from '../../traffic/lanes/index.ts';
import { ESM, TLV } from './codec/commands.ts';
import { decodeOctets } from './codec/decode-content.ts';
import type { SmppMessage } from './codec/message-reader.ts';

export interface ReadReceipt {
  /** As the far end wrote it; empty when it named none. */
  messageId: string;
  state: Receipt['state'];
  code: string;
  /** In the far end's local time, in an unknown zone: YYMMDDhhmm, with or without seconds. */
  doneDate: string | undefined;
}

/** SMPP 3.4, section 5.2.28. */
export const STATE_NAMES: Record<number, string> = {
  1: 'ENROUTE',
  2: 'DELIVRD',
  3: 'EXPIRED',
  4: 'DELETED',
  5: 'UNDELIV',
  6: 'ACCEPTD',
  7: 'UNKNOWN',
  8: 'REJECTD',
};

/** By the beginning of the word, because some write it in full. Uncertain states change nothing. */
const STATES: [start: string, state: Receipt['state']][] = [
  ['DELIV', 'delivered'],
  ['EXPIR', 'failed'],
  ['DELET', 'failed'],
  ['UNDEL', 'failed'],
  ['REJEC', 'failed'],
  ['FAIL', 'failed'],
];

const FIELD = {
  id: /\bid\s*:\s*([^\s:]+)/i,
  stat: /\bstat(?:e|us)?\s*:\s*([a-z]+)/i,
  err: /\berr(?:or)?\s*:\s*(\w+)/i,
  done: /\bdone[\s_]{0,9}date\s{0,9}:\s{0,9}(\d{10,14})/i,
};
/** What a receipt that is not marked as one looks like: both fields, the id at the beginning. */
const looksLikeOne = (text: string): boolean =>
  /^\s*id\s*:\s*\S/i.test(text) && /\bstat\s{0,9}:\s{0,9}[a-z]/i.test(text);

const find = (field: RegExp, text: string): string | undefined => field.exec(text)?.[1];

const terminated = (value: Buffer | undefined): string =>
  value ? value.toString('latin1').replace(/\0.*$/s, '').trim() : '';

const codeOf = (name: string, error: string | undefined): string =>
  error === undefined || /^0*$/.test(error) ? name : `${name}:${error}`;

/**
 * The receipt in a deliver_sm, or undefined if it is an incoming message. Only the message centre can mark one; anybody
 * can write a text that looks like one.
 */
export const readReceipt = (
  message: SmppMessage,
  { unmarkedReceipts }: { unmarkedReceipts: boolean },
): ReadReceipt | undefined => {
  const { esmClass, content, dataCoding, tlvs } = message;
  const type = esmClass & ESM.typeMask;
  const marked = type === ESM.receipt || type === ESM.intermediate || tlvs.has(TLV.receiptedMessageId);
  const whole = decodeOctets(content, dataCoding);
  if (!marked && !(unmarkedReceipts && looksLikeOne(whole))) return undefined;
  // The end quotes the message that was sent, which may contain anything.
  const text = whole.split(/\btext\s*:/i, 1)[0] ?? '';
  const stateOctet = tlvs.get(TLV.messageState)?.[0];
  const name = (find(FIELD.stat, text) ?? STATE_NAMES[stateOctet ?? 0] ?? 'UNKNOWN').toUpperCase();
  return {
    messageId: terminated(tlvs.get(TLV.receiptedMessageId)) || (find(FIELD.id, text) ?? ''),
    state: STATES.find(([start]) => name.startsWith(start))?.[1] ?? 'enroute',
    code: codeOf(name, find(FIELD.err, text)),
    doneDate: find(FIELD.done, text),
  };
};

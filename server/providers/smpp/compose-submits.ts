import type { Outgoing } from '../../traffic/lanes/index.ts';
import { recipientAddress, senderAddress } from './address.ts';
import { ESM } from './codec/commands.ts';
import { encodeText, isLong, withHeader } from './codec/encode-text.ts';
import type { MessageFields } from './codec/pdu-writer.ts';
import type { SmppRefusal } from './codec/statuses.ts';
import type { SmppOptions } from './smpp-options.ts';

const MAX_PARTS = 255;
const MAX_PAYLOAD_OCTETS = 0xffff;

const refuse = (code: string, reason: string): SmppRefusal => ({
  outcome: 'refused',
  code,
  reason,
  retryable: false,
});

/** The submits that make up a message, or why it can't be one. `reference` marks the parts of a long one. */
export const composeSubmits = (
  { recipient, from, text }: Outgoing,
  { addressing, longMessages, receipts }: SmppOptions,
  reference: () => number,
): MessageFields[] | SmppRefusal => {
  const destination = recipientAddress(recipient, addressing);
  if (!destination) return refuse('BAD_RECIPIENT', 'The recipient is not a phone number.');
  const source = senderAddress(from, addressing);
  if (!source) return refuse('BAD_SENDER', 'The sender is neither a number nor up to 20 plain letters.');
  if (text === '') return refuse('EMPTY_TEXT', 'There is no text.');
  const whole = longMessages === 'payload';
  const encoded = encodeText(text, { whole });
  const { dataCoding, parts } = encoded;
  const fields = { source, destination, registeredDelivery: receipts ? 1 : 0, dataCoding };
  const [first] = parts;
  if (parts.length === 1 && first) {
    if (first.length > MAX_PAYLOAD_OCTETS) return refuse('TOO_LONG', 'The text is too long.');
    return [{ ...fields, esmClass: 0, content: first, asPayload: whole && isLong(encoded) }];
  }
  if (parts.length > MAX_PARTS) return refuse('TOO_LONG', 'The text is too long.');
  const mark = { reference: reference(), total: parts.length };
  return parts.map((part, index) => ({
    ...fields,
    esmClass: ESM.userDataHeader,
    content: withHeader(part, { ...mark, number: index + 1 }),
    asPayload: false,
  }));
};

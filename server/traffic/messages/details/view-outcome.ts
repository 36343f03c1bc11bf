import type { Reply } from '../../../../contract/calls.ts';
import { DEVICE_HOLDS } from '../../../../contract/fleet/devices.ts';
import type { Language } from '../../../../contract/ground/constants.ts';
import { numberFromMicros } from '../../../../contract/ground/money.ts';
import { INVALID_CONTACT } from '../../../../contract/traffic/verdicts.ts';
import { sayReason, text } from '../../../ground/translations/index.ts';
import { wordsOf } from './carrier-reason.ts';
import type { MessageRow } from './message-store.ts';

/** Codes whose reason we have in the reader's language; a carrier's own text stays as it is. */
const KNOWN = [
  'SIM_REFUSED',
  'SIM_BUSY',
  'SIM_FAILED',
  'E_UNKNOWN_OUTCOME',
  ...DEVICE_HOLDS.map((hold) => `DEVICE_${hold}` as const),
  'DEVICE_FILE_NOT_FETCHED',
  'DEVICE_FILE_TYPE',
  'DEVICE_NO_TEMPLATES',
  'DEVICE_NOT_CONNECTED',
  'NOT_ON_WHATSAPP',
] as const;
const OWN = ['E_CANCELLED', 'E_TOO_LATE', 'E_OPTED_OUT', 'E_DEVICE_DELETED'] as const;

/** Written for every failure receipt; its code says more. */
export const RECEIPT_REASON = 'The carrier reported that it was not delivered.';

/** As a text. */
export const outcomeReason = (
  { errorCode, reason }: Pick<MessageRow, 'errorCode' | 'reason'>,
  language: Language,
): string => {
  // What the page sends; other words of an admin stay as they are.
  if (reason === INVALID_CONTACT.reason) return text(language, 'message.reason.E_INVALID_CONTACT');
  const known = KNOWN.find((code) => code === errorCode);
  if (known) return text(language, `message.reason.${known}`);
  const own = OWN.find((code) => code === errorCode);
  if (own) return text(language, `error.${own}`);
  if (reason !== '' && reason !== RECEIPT_REASON) return sayReason(language, reason);
  const words = wordsOf(errorCode) ?? (reason === RECEIPT_REASON ? 'NOT_DELIVERED' : undefined);
  return words ? text(language, `message.reason.${words}`) : '';
};

export const viewOutcome = (message: MessageRow, language: Language): Reply<'GET /messages/:messageId'> => ({
  _id: message.id,
  batchId: message.batchId,
  channel: message.channel,
  phone: message.recipient,
  status: message.status,
  reason: outcomeReason(message, language),
  errorCode: message.errorCode,
  segments: message.segments,
  price: numberFromMicros(message.priceMicros),
  currency: 'USD',
  test: message.test,
  createdAt: message.createdAt.toISOString(),
  sentAt: message.sentAt?.toISOString() ?? null,
  deliveredAt: message.deliveredAt?.toISOString() ?? null,
  identifier: message.identifier,
});

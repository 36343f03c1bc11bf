import type { Reply } from '../../contract/calls.ts';
import type { Language } from '../../contract/constants.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import { numberFromMicros } from '../../contract/money.ts';
import { text } from '../translations/index.ts';
import type { MessageRow } from './store.ts';

/** Codes whose reason we can tell in the reader's language; a carrier's own words stay as they are. */
const KNOWN = ['SIM_REFUSED', 'SIM_BUSY', 'SIM_FAILED', 'E_UNKNOWN_OUTCOME'];
const OWN: ErrorCode[] = ['E_CANCELLED', 'E_TOO_LATE', 'E_OPTED_OUT'];

/** In words. */
export const reasonOf = (
  { errorCode, reason }: Pick<MessageRow, 'errorCode' | 'reason'>,
  language: Language,
): string => {
  if (KNOWN.includes(errorCode)) return text(language, `message.reason.${errorCode}`);
  return OWN.some((code) => code === errorCode) ? text(language, `error.${errorCode}`) : reason;
};

export const viewOutcome = (message: MessageRow, language: Language): Reply<'GET /messages/:messageId'> => ({
  _id: message.id,
  batchId: message.batchId,
  channel: message.channel,
  phone: message.recipient,
  status: message.status,
  reason: reasonOf(message, language),
  errorCode: message.errorCode,
  segments: message.segments,
  price: numberFromMicros(message.priceMicros),
  currency: 'USD',
  test: message.test,
  createdAt: message.createdAt.toISOString(),
  sentAt: message.sentAt?.toISOString() ?? null,
  deliveredAt: message.deliveredAt?.toISOString() ?? null,
});

import type { LabelAfter } from '../../../ground/translations/index.ts';

type Words = LabelAfter<'message.reason.'>;

/** The meaning of codes in carriers' receipts, as labels of texts. The first that matches counts. */
const WORDS: readonly (readonly [code: RegExp, words: Words])[] = [
  // SMPP 3.4, appendix B; some write the words in full.
  [/^UNDEL/, 'UNDELIVERABLE'],
  [/^EXPIR/, 'EXPIRED'],
  [/^DELET/, 'DELETED'],
  [/^REJEC/, 'REJECTED'],
  // Ours for Twilio's.
  [/^UNREACHABLE$/, 'UNREACHABLE'],
  [/^BLOCKED$/, 'BLOCKED'],
  [/^(UNKNOWN_RECIPIENT|INVALID_RECIPIENT)$/, 'NO_SUCH_RECIPIENT'],
  [/^NOT_A_MOBILE$/, 'NOT_A_MOBILE'],
  [/^FILTERED$/, 'FILTERED'],
  [/^OPTED_OUT$/, 'OPTED_OUT'],
  // Ours for Meta's.
  [/^E_RECIPIENT$/, 'NOT_ON_WHATSAPP'],
  [/^E_OPTED_OUT$/, 'OPTED_OUT'],
  // RFC 3463: what a bounce says.
  [/^5\.1\.[0-3]$/, 'NO_SUCH_RECIPIENT'],
  [/^5\.2\.2$/, 'MAILBOX_FULL'],
  [/^5\.4\./, 'UNREACHABLE'],
  [/^5\.7\./, 'REJECTED'],
];

/** A code may have the carrier's own number after a colon: UNDELIV:045. */
export const wordsOf = (errorCode: string): Words | undefined => {
  const [code = ''] = errorCode.split(':');
  return WORDS.find(([fits]) => fits.test(code))?.[1];
};

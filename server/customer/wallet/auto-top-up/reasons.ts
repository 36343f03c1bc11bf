import type { Language } from '../../../../contract/ground/constants.ts';
import { type Label, text } from '../../../ground/translations/index.ts';
import type { DeclineCode } from '../card-processor.ts';

/** Stored as the reason why automatic top-up turned itself off; anything else is the reason of a decline. */
export const CARD_REMOVED = 'CARD_REMOVED';
export const DISPUTED = 'DISPUTED';
export const OTHER_PROCESSOR = 'OTHER_PROCESSOR';

export const autoTopUpStopText = (language: Language, stopped: string): string => {
  if (stopped === '') return '';
  if (stopped === CARD_REMOVED) return text(language, 'wallet.stopped.cardRemoved');
  if (stopped === DISPUTED) return text(language, 'wallet.stopped.disputed');
  if (stopped === OTHER_PROCESSOR) return text(language, 'wallet.stopped.otherProcessor');
  return text(language, 'wallet.stopped.declined', { reason: paymentReasonText(language, stopped) });
};

export const REASONS = {
  neverSeen: 'wallet.reason.neverSeen',
  authentication: 'wallet.reason.authentication',
  notAuthenticated: 'wallet.reason.notAuthenticated',
  disputeWon: 'wallet.reason.disputeWon',
  otherProcessor: 'wallet.reason.otherProcessor',
} as const;

const DECLINES: Record<DeclineCode, Label> = {
  declined: 'wallet.decline.declined',
  'insufficient-funds': 'wallet.decline.insufficientFunds',
  'limit-exceeded': 'wallet.decline.limitExceeded',
  'lost-card': 'wallet.decline.lostCard',
  'expired-card': 'wallet.decline.expiredCard',
  'incorrect-number': 'wallet.decline.incorrectNumber',
  'incorrect-cvc': 'wallet.decline.incorrectCvc',
  'not-supported': 'wallet.decline.notSupported',
  'processing-error': 'wallet.decline.processingError',
  'authentication-required': 'wallet.decline.authenticationRequired',
  'holder-refused': 'wallet.decline.holderRefused',
  'not-confirmed': 'wallet.decline.notConfirmed',
  cancelled: 'wallet.decline.cancelled',
  'card-unknown': 'wallet.decline.cardUnknown',
};
const LABELS: ReadonlySet<string> = new Set<Label>([...Object.values(REASONS), ...Object.values(DECLINES)]);

/** What is stored as a payment's reason: a label, or the provider's text if we have none. */
export const declineReason = ({
  code,
  reason,
}: {
  code?: DeclineCode | undefined;
  reason: string;
}): string => (code === undefined ? reason : DECLINES[code]);

export const paymentReasonText = (language: Language, reason: string): string =>
  LABELS.has(reason) ? text(language, reason as Label) : reason;

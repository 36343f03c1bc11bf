import type { Language } from '../../contract/constants.ts';
import { text } from '../translations/index.ts';

/** Kept as the reason why automatic top-up turned itself off; anything else is the provider's word on a decline. */
export const CARD_REMOVED = 'CARD_REMOVED';
export const DISPUTED = 'DISPUTED';

export const autoTopUpStopText = (language: Language, stopped: string): string => {
  if (stopped === '') return '';
  if (stopped === CARD_REMOVED) return text(language, 'wallet.stopped.cardRemoved');
  if (stopped === DISPUTED) return text(language, 'wallet.stopped.disputed');
  return text(language, 'wallet.stopped.declined', { reason: paymentReasonText(language, stopped) });
};

/** Reasons of our own are labels; a provider's come as it worded them. */
export const REASONS = {
  neverSeen: 'wallet.reason.neverSeen',
  authentication: 'wallet.reason.authentication',
  notAuthenticated: 'wallet.reason.notAuthenticated',
  disputeWon: 'wallet.reason.disputeWon',
} as const;

export const paymentReasonText = (language: Language, reason: string): string =>
  Object.values(REASONS).some((label) => label === reason) ? text(language, reason) : reason;

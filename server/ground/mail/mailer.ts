import type { Language } from '../../../contract/ground/constants.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  language: Language;
  /** Unique, and the same at each retry, so that a mail server may drop a copy. Without angle brackets. */
  messageId: string;
}

/** Refused means for good: trying again does not help. */
export type MailOutcome = { outcome: 'accepted' } | { outcome: 'refused'; reason: string };

/** Sends mails. A throw means: not sent as far as we know; the same mail may be tried again. */
export interface Mailer {
  send: (mail: Mail) => Promise<MailOutcome>;
  close: () => Promise<void>;
}

import type { Language } from '../../../../contract/ground/constants.ts';
import type { Letter } from '../../../ground/mail/index.ts';
import { text } from '../../../ground/translations/index.ts';

/** The address of the pages, and the recipient of the mail. */
interface Facts {
  language: Language;
  email: string;
  publicUrl: string;
}

const page = (publicUrl: string, path: string): string => `${publicUrl.replace(/\/$/, '')}${path}`;

export const activationLetter = ({ language, email, publicUrl }: Facts, token: string): Letter => ({
  language,
  subject: text(language, 'mail.activate.subject'),
  paragraphs: [text(language, 'mail.activate.body', { email })],
  buttons: [
    {
      label: text(language, 'mail.activate.button'),
      url: page(publicUrl, `/activate?token=${token}`),
    },
  ],
  notes: [text(language, 'mail.validDays', { days: 3 }), text(language, 'mail.activate.ignore')],
});

/** For the owner of a mailbox that was registered more than once, with different passwords. */
export const choosePasswordLetter = ({ language, email, publicUrl }: Facts, token: string): Letter => ({
  language,
  subject: text(language, 'mail.choosePassword.subject'),
  paragraphs: [text(language, 'mail.choosePassword.body', { email })],
  buttons: [
    {
      label: text(language, 'mail.choosePassword.button'),
      url: page(publicUrl, `/reset-password?token=${token}`),
    },
  ],
  notes: [text(language, 'mail.validDays', { days: 3 }), text(language, 'mail.activate.ignore')],
});

export const resetLetter = ({ language, email, publicUrl }: Facts, token: string): Letter => ({
  language,
  subject: text(language, 'mail.reset.subject'),
  paragraphs: [text(language, 'mail.reset.body', { email })],
  buttons: [
    {
      label: text(language, 'mail.reset.button'),
      url: page(publicUrl, `/reset-password?token=${token}`),
    },
  ],
  notes: [text(language, 'mail.reset.valid'), text(language, 'mail.reset.ignore')],
});

export const alreadyRegisteredLetter = ({ language, email, publicUrl }: Facts): Letter => ({
  language,
  subject: text(language, 'mail.alreadyRegistered.subject'),
  paragraphs: [text(language, 'mail.alreadyRegistered.body', { email })],
  buttons: [
    { label: text(language, 'mail.alreadyRegistered.signIn'), url: page(publicUrl, '/login') },
    { label: text(language, 'mail.alreadyRegistered.reset'), url: page(publicUrl, '/forgot-password') },
  ],
  notes: [text(language, 'mail.alreadyRegistered.ignore')],
});

/** For this long the operator can reopen a closed account; then its data is removed. */
export const REOPEN_DAYS = 30;

export const closedLetter = ({ language, email, publicUrl }: Facts, closedAt: Date): Letter => ({
  language,
  subject: text(language, 'mail.closed.subject'),
  paragraphs: [
    text(language, 'mail.closed.body', { email, day: closedAt.toISOString().slice(0, 10) }),
    text(language, 'mail.closed.data', { days: REOPEN_DAYS }),
    text(language, 'mail.closed.balance'),
  ],
  buttons: [{ label: text(language, 'mail.closed.button'), url: page(publicUrl, '/privacy_policy') }],
  notes: [text(language, 'mail.closed.ignore', { days: REOPEN_DAYS })],
});

export const passwordChangedLetter = ({ language, email, publicUrl }: Facts): Letter => ({
  language,
  subject: text(language, 'mail.passwordChanged.subject'),
  paragraphs: [text(language, 'mail.passwordChanged.body', { email })],
  buttons: [
    { label: text(language, 'mail.passwordChanged.button'), url: page(publicUrl, '/forgot-password') },
  ],
  notes: [],
});

export const invitationLetter = ({ language, email, publicUrl }: Facts, token: string): Letter => ({
  language,
  subject: text(language, 'mail.invitation.subject'),
  paragraphs: [text(language, 'mail.invitation.body', { email })],
  buttons: [
    {
      label: text(language, 'mail.invitation.button'),
      url: page(publicUrl, `/register?token=${token}&email=${encodeURIComponent(email)}`),
    },
  ],
  notes: [text(language, 'mail.validDays', { days: 14 }), text(language, 'mail.invitation.ignore')],
});

import type { Language } from '../../../../contract/ground/constants.ts';
import { type MailContent, writeLetter } from '../../../ground/mail/index.ts';

/** The address of the pages, and the recipient of the mail. */
interface Facts {
  language: Language;
  email: string;
  publicUrl: string;
}

export const activationLetter = (facts: Facts, token: string): MailContent =>
  writeLetter(facts, {
    subject: 'mail.activate.subject',
    paragraphs: ['mail.activate.body'],
    buttons: [['mail.activate.button', `/activate?token=${token}`]],
    notes: ['mail.validDays', 'mail.activate.ignore'],
    values: { email: facts.email, days: 3 },
  });

/** For the owner of a mailbox that was registered more than once, with different passwords. */
export const choosePasswordLetter = (facts: Facts, token: string): MailContent =>
  writeLetter(facts, {
    subject: 'mail.choosePassword.subject',
    paragraphs: ['mail.choosePassword.body'],
    buttons: [['mail.choosePassword.button', `/reset-password?token=${token}`]],
    notes: ['mail.validDays', 'mail.activate.ignore'],
    values: { email: facts.email, days: 3 },
  });

export const resetLetter = (facts: Facts, token: string): MailContent =>
  writeLetter(facts, {
    subject: 'mail.reset.subject',
    paragraphs: ['mail.reset.body'],
    buttons: [['mail.reset.button', `/reset-password?token=${token}`]],
    notes: ['mail.reset.valid', 'mail.reset.ignore'],
    values: { email: facts.email },
  });

export const alreadyRegisteredLetter = (facts: Facts): MailContent =>
  writeLetter(facts, {
    subject: 'mail.alreadyRegistered.subject',
    paragraphs: ['mail.alreadyRegistered.body'],
    buttons: [
      ['mail.alreadyRegistered.signIn', '/login'],
      ['mail.alreadyRegistered.reset', '/forgot-password'],
    ],
    notes: ['mail.alreadyRegistered.ignore'],
    values: { email: facts.email },
  });

/** The operator can reopen a closed account for this long; then its data is removed. */
export const REOPEN_DAYS = 30;

export const closedLetter = (facts: Facts, closedAt: Date): MailContent =>
  writeLetter(facts, {
    subject: 'mail.closed.subject',
    paragraphs: ['mail.closed.body', 'mail.closed.data', 'mail.closed.balance'],
    buttons: [['mail.closed.button', '/privacy_policy']],
    notes: ['mail.closed.ignore'],
    values: { email: facts.email, day: closedAt.toISOString().slice(0, 10), days: REOPEN_DAYS },
  });

export const passwordChangedLetter = (facts: Facts): MailContent =>
  writeLetter(facts, {
    subject: 'mail.passwordChanged.subject',
    paragraphs: ['mail.passwordChanged.body'],
    buttons: [['mail.passwordChanged.button', '/forgot-password']],
    notes: [],
    values: { email: facts.email },
  });

export const invitationLetter = (facts: Facts, token: string): MailContent =>
  writeLetter(facts, {
    subject: 'mail.invitation.subject',
    paragraphs: ['mail.invitation.body'],
    buttons: [
      ['mail.invitation.button', `/register?token=${token}&email=${encodeURIComponent(facts.email)}`],
    ],
    notes: ['mail.validDays', 'mail.invitation.ignore'],
    values: { email: facts.email, days: 14 },
  });

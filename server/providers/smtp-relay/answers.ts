import type { SendOutcome } from '../../traffic/lanes/index.ts';
import type { SmtpReply } from './session/reply-reader.ts';

export type SmtpRefusal = Extract<SendOutcome, { outcome: 'refused' }>;

const MAX_REASON = 500;
/** RFC 3463: class, subject, detail. */
const ENHANCED = /^([245]\.\d{1,3}\.\d{1,3})(?: |$)/;

export const isFine = ({ code }: SmtpReply): boolean => code >= 200 && code < 300;

/** What the server says, for people: one line, without its own code at the start of each. */
const reasonOf = ({ code, lines }: SmtpReply): string => {
  const words = Buffer.from(lines.map((line) => line.replace(ENHANCED, '')).join(' '), 'latin1').toString();
  const text = words
    .replace(/[\p{Cc}\ufffd]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON)
    .toWellFormed();
  return text === '' ? `The mail server answered ${code}.` : text;
};

const codeOf = ({ code, lines }: SmtpReply): string => ENHANCED.exec(lines[0] ?? '')?.[1] ?? `SMTP_${code}`;

/** Too large, RFC 1870: about the message, unlike every other refusal of a sender. */
const isForSize = (reply: SmtpReply): boolean => reply.code === 552 || /^[45]\.3\.4$/.test(codeOf(reply));

export const smtpRefused = (code: string, reason: string, retryable = false): SmtpRefusal => ({
  outcome: 'refused',
  code,
  reason,
  retryable,
});

/**
 * A refusal of the recipient or of the message. From 500 on it is final; but a refused sender is a fault of the
 * settings, which the operator may still fix.
 */
export const replyRefusal = (reply: SmtpReply, to: 'MAIL' | 'RCPT' | 'DATA'): SmtpRefusal =>
  smtpRefused(codeOf(reply), reasonOf(reply), reply.code < 500 || (to === 'MAIL' && !isForSize(reply)));

/** For the operator who repairs the connection. */
export const inWords = (reply: SmtpReply): string => `${reply.code} ${reasonOf(reply)}`.slice(0, 200);

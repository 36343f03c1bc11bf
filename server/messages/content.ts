import type { Channel } from '../../contract/messages.ts';
import { type Encoding, segmentation } from '../../contract/segments.ts';
import { DomainError } from '../domain-error.ts';

/** What is to be said; a subject and HTML are for emails only. */
export interface Content {
  message: string;
  subject?: string | undefined;
  html?: string | undefined;
}

export interface CheckedContent {
  message: string;
  subject: string | null;
  html: string | null;
  /** What is paid for: the segments of an SMS, one for anything else. */
  segments: number;
  encoding: Encoding | 'NONE';
}

/** The parts of one message are numbered in a byte. */
const MAX_SEGMENTS = 255;
/** Of Meta's Cloud API, "text object, body". */
const WHATSAPP_MAX_LENGTH = 4096;

/** PostgreSQL can't store NUL, and no carrier sends it. Halves of characters become the replacement character. */
const clean = (text: string): string => {
  if (text.includes('\0')) throw new DomainError('E_MESSAGE_UNSENDABLE');
  return text.toWellFormed();
};

const checkEmail = ({ message, subject, html }: Content): CheckedContent => {
  if (message.trim() === '' && (html ?? '').trim() === '') throw new DomainError('E_MESSAGE_EMPTY');
  return {
    message: clean(message),
    // A line break would begin another header.
    subject:
      subject === undefined
        ? null
        : clean(subject)
            .replace(/\p{Cc}+/gu, ' ')
            .trim(),
    html: html === undefined ? null : clean(html),
    segments: 1,
    encoding: 'NONE',
  };
};

const checkText = (channel: 'sms' | 'whatsapp', { message, ...rest }: Content): CheckedContent => {
  for (const field of ['subject', 'html'] as const)
    if (rest[field] !== undefined) throw new DomainError('E_EMAIL_ONLY', { field });
  if (message.trim() === '') throw new DomainError('E_MESSAGE_EMPTY');
  const text = { message: clean(message), subject: null, html: null };
  if (channel === 'whatsapp') {
    if (message.length > WHATSAPP_MAX_LENGTH)
      throw new DomainError('E_MESSAGE_TOO_LONG', { maximum: WHATSAPP_MAX_LENGTH });
    return { ...text, segments: 1, encoding: 'NONE' };
  }
  const { segments, encoding } = segmentation(text.message);
  if (segments > MAX_SEGMENTS) throw new DomainError('E_TOO_MANY_SEGMENTS', { maximum: MAX_SEGMENTS });
  return { ...text, segments, encoding };
};

export const checkContent = (channel: Channel, content: Content): CheckedContent =>
  channel === 'email' ? checkEmail(content) : checkText(channel, content);

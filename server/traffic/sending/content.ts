import type { Channel } from '../../../contract/ground/channels.ts';
import { segmentation } from '../../../contract/traffic/segments.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { CheckedContent, Content } from './message-content.ts';
import { checkWhatsapp, WHATSAPP_ONLY } from './whatsapp-content.ts';

/** The parts of one message are numbered in a byte. */
const MAX_SEGMENTS = 255;

/** PostgreSQL can't store NUL, and no carrier sends it. Halves of characters become the replacement character. */
const clean = (text: string): string => {
  if (text.includes('\0')) throw new DomainError('E_MESSAGE_UNSENDABLE');
  return text.toWellFormed();
};

const checkEmail = ({ message, subject, html }: Content): CheckedContent => {
  if (message.trim() === '' && (html ?? '').trim() === '') throw new DomainError('E_MESSAGE_EMPTY');
  return {
    message: clean(message),
    // A line break would start another header.
    subject:
      subject === undefined
        ? null
        : clean(subject)
            .replace(/\p{Cc}+/gu, ' ')
            .trim(),
    html: html === undefined ? null : clean(html),
    content: null,
    segments: 1,
    encoding: 'NONE',
  };
};

const checkText = (channel: 'sms' | 'whatsapp', { message, ...rest }: Content): CheckedContent => {
  for (const field of ['subject', 'html'] as const)
    if (rest[field] !== undefined) throw new DomainError('E_EMAIL_ONLY', { field });
  if (channel === 'whatsapp') return checkWhatsapp(clean(message), { message, ...rest });
  if (message.trim() === '') throw new DomainError('E_MESSAGE_EMPTY');
  const text = { message: clean(message), subject: null, html: null, content: null };
  const { segments, encoding } = segmentation(text.message);
  if (segments > MAX_SEGMENTS) throw new DomainError('E_TOO_MANY_SEGMENTS', { maximum: MAX_SEGMENTS });
  return { ...text, segments, encoding };
};

export const checkContent = (channel: Channel, content: Content): CheckedContent => {
  if (channel !== 'whatsapp')
    for (const field of WHATSAPP_ONLY)
      if (content[field] !== undefined) throw new DomainError('E_WHATSAPP_ONLY', { field });
  return channel === 'email' ? checkEmail(content) : checkText(channel, content);
};

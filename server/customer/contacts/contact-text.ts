import type { Channel } from '../../../contract/ground/channels.ts';
import { CONTACT_KEYWORD_MIN_LENGTH } from '../../../contract/traffic/messages.ts';

/** One line, without characters that can't be stored. */
export const cleanName = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** May have several lines. */
export const cleanNotes = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')
    .trim();

/** Numbers are stored without the spaces, dashes and brackets that people write. */
export const keywordOf = (typed: string | undefined): string | undefined => {
  const text = cleanName(typed ?? '');
  return (/^[+\d\s().-]+$/.test(text) ? text.replace(/[\s().-]/g, '') : text) || undefined;
};

export const isTooShort = (keyword: string): boolean => [...keyword].length < CONTACT_KEYWORD_MIN_LENGTH;

/** The channels that can reach this number or address. */
export const channelsOf = (recipient: string): Channel[] =>
  recipient.includes('@') ? ['email'] : ['sms', 'whatsapp'];

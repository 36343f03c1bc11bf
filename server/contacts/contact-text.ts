import { type Channel, CONTACT_KEYWORD_MIN_LENGTH } from '../../contract/messages.ts';

/** One line, without what can't be stored. */
export const cleanName = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();

/** May have lines. */
export const cleanNotes = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]+/gu, ' ')
    .trim();

/** Numbers are kept without the spaces, dashes and brackets that people write. */
export const keywordOf = (typed: string | undefined): string | undefined => {
  const text = cleanName(typed ?? '');
  return (/^[+\d\s().-]+$/.test(text) ? text.replace(/[\s().-]/g, '') : text) || undefined;
};

export const isTooShort = (keyword: string): boolean => [...keyword].length < CONTACT_KEYWORD_MIN_LENGTH;

/** By which somebody can be written to. */
export const channelsOf = (recipient: string): Channel[] =>
  recipient.includes('@') ? ['email'] : ['sms', 'whatsapp'];

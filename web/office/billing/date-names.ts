import { activeLanguage, LANGUAGE_TAGS } from '../../ground/i18n/language.ts';

const name = (date: string, style: Intl.DateTimeFormatOptions) =>
  // The server has assigned each message to its day; here a date is only a name, independent of the browser's zone.
  new Intl.DateTimeFormat(LANGUAGE_TAGS[activeLanguage()].format, { ...style, timeZone: 'UTC' }).format(
    new Date(`${date}T00:00:00Z`),
  );

/** October 2026, of YYYY-MM. */
export const monthName = (month: string) => name(`${month}-01`, { month: 'long', year: 'numeric' });

/** 3 October, of YYYY-MM-DD. */
export const dayName = (date: string) => name(date, { month: 'long', day: 'numeric' });

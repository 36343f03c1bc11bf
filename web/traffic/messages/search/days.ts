import { timeZone } from '../../../ground/i18n/time-zone.ts';

const DAY_MS = 86_400_000;
const RECENT_DAYS = 7;

const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);

/** The formatter is kept while the zone stays the same, because a page formats a hundred times of day. */
const zoned = (style: Intl.DateTimeFormatOptions): ((moment: Date) => string) => {
  let made: { zone: string; format: Intl.DateTimeFormat } | undefined;
  return (moment) => {
    const zone = timeZone();
    if (made?.zone !== zone)
      made = { zone, format: new Intl.DateTimeFormat('sv-SE', { ...style, timeZone: zone }) };
    return made.format.format(moment);
  };
};

/** The calendar day in the account's time zone, not in the browser's. */
const dayOf = zoned({ dateStyle: 'short' });

export interface Days {
  dateFrom: string;
  dateTo: string;
}

/** Seven days back through tomorrow. */
export const recentDays = (now: Date): Days => {
  const today = dayOf(now);
  return { dateFrom: shiftDay(today, -RECENT_DAYS), dateTo: shiftDay(today, 1) };
};

export const todayOnly = (now: Date): Days => ({ dateFrom: dayOf(now), dateTo: dayOf(now) });

export const shiftDays = ({ dateFrom, dateTo }: Days, by: number): Days => ({
  dateFrom: shiftDay(dateFrom, by),
  dateTo: shiftDay(dateTo, by),
});

const momentOf = zoned({ dateStyle: 'short', timeStyle: 'medium' });

/** yyyy-MM-dd HH:mm:ss. */
export const formatSecond = (iso: string): string => momentOf(new Date(iso));

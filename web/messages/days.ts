import { DEFAULT_TIME_ZONE } from '../../contract/constants.ts';

const DAY_MS = 86_400_000;
const RECENT_DAYS = 7;

/** yyyy-MM-dd, and a day that the calendar has. */
export const isDay = (value: unknown): value is string => {
  if (typeof value !== 'string' || !/^(19|2\d)\d\d-\d\d-\d\d$/.test(value)) return false;
  const moment = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(value);
};

export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS).toISOString().slice(0, 10);

let dayFormat: Intl.DateTimeFormat | undefined;

/** The calendar day where the service is run, whatever the browser's own zone. */
export const dayOf = (moment: Date): string => {
  dayFormat ??= new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: DEFAULT_TIME_ZONE });
  return dayFormat.format(moment);
};

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

let momentFormat: Intl.DateTimeFormat | undefined;

/** yyyy-MM-dd HH:mm:ss. The formatter is kept: a page shows a hundred of these at once. */
export const formatMoment = (iso: string): string => {
  momentFormat ??= new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: DEFAULT_TIME_ZONE,
  });
  return momentFormat.format(new Date(iso));
};

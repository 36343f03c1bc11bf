import { localTime, momentOf } from '../../ground/local-time/index.ts';
import type { TimeSpan } from '../../traffic/messages/index.ts';

const two = (n: number): string => String(n).padStart(2, '0');

/** YYYY-MM in a time zone. */
export const monthAt = (moment: Date, timeZone: string): string => localTime(moment, timeZone).slice(0, 7);
export const dayAt = (moment: Date, timeZone: string): string => localTime(moment, timeZone).slice(0, 10);

const nextMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${two(number + 1)}`;
};

const startOf = (day: string, timeZone: string): Date => {
  const moment = momentOf(`${day}T00:00:00`, timeZone);
  if (!moment) throw new Error(`${day} is no day`);
  return moment;
};

export const monthSpan = (month: string, timeZone: string): TimeSpan => ({
  from: startOf(`${month}-01`, timeZone),
  to: startOf(`${nextMonth(month)}-01`, timeZone),
});

/** This many days from a day on, each with its start and end in the time zone. */
export const daySpans = (first: string, count: number, timeZone: string): (TimeSpan & { date: string })[] => {
  const [year = 0, month = 0, day = 0] = first.split('-').map(Number);
  const dates = Array.from({ length: count + 1 }, (_, at) =>
    new Date(Date.UTC(year, month - 1, day + at)).toISOString().slice(0, 10),
  );
  const edges = dates.map((date) => startOf(date, timeZone));
  return edges.slice(1).map((to, at) => ({ date: dates[at] as string, from: edges[at] as Date, to }));
};

export const daysOfMonth = (month: string, timeZone: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return daySpans(`${month}-01`, new Date(Date.UTC(year, number, 0)).getUTCDate(), timeZone);
};

/** Every month from one to another, newest first. */
export const monthsBetween = (first: string, last: string): string[] => {
  const months: string[] = [];
  for (let month = first; month <= last; month = nextMonth(month)) months.unshift(month);
  return months;
};

import { DEFAULT_TIME_ZONE } from '../../../contract/ground/constants.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { localTime, momentOf } from '../../ground/local-time/index.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** From its first moment to the first after it. */
export interface DaySpan {
  from: Date;
  to: Date;
}

export interface ReportDays {
  date: string;
  /** HH:mm. */
  until: string;
  /** The day, the day before and the week before. */
  spans: [DaySpan, DaySpan, DaySpan];
}

const dayBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

const startOf = (date: string): Date => {
  const moment = momentOf(`${date}T00:00:00`, DEFAULT_TIME_ZONE);
  if (!moment) throw new DomainError('E_INVALID_REQUEST', { reason: date });
  return moment;
};

/**
 * The days that a report compares, in the installation's time zone. Of today only a part is known: the days before
 * count as far as the hour that has begun.
 */
export const reportDays = (asked: string | undefined, now = new Date()): ReportDays => {
  const date = asked ?? localTime(now, DEFAULT_TIME_ZONE).slice(0, 10);
  const spanOf = (days: number): DaySpan => ({
    from: startOf(dayBefore(date, days)),
    to: startOf(dayBefore(date, days - 1)),
  });
  const today = spanOf(0);
  const known = Math.ceil((+now - +today.from) / HOUR_MS) * HOUR_MS;
  const isPart = known > 0 && +today.from + known < +today.to;
  const compared = (days: number): DaySpan => {
    const span = spanOf(days);
    return isPart ? { from: span.from, to: new Date(+span.from + known) } : span;
  };
  return {
    date,
    until: isPart ? localTime(new Date(+today.from + known), DEFAULT_TIME_ZONE).slice(11, 16) : '24:00',
    spans: [today, compared(1), compared(7)],
  };
};

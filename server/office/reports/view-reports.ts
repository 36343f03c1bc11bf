import { numberFromMicros } from '../../../contract/ground/money.ts';
import { REPORT_DIMENSIONS } from '../../../contract/office/office-values.ts';
import type {
  ReportDimension,
  ReportFigures,
  ReportRow,
  StatusRow,
} from '../../../contract/office/reports.ts';
import { MESSAGE_STATUSES } from '../../../contract/traffic/message-values.ts';
import type { MessageStatus } from '../../../contract/traffic/messages.ts';
import type { DaySpan } from './report-days.ts';
import type { ReportGroup, StatusCount } from './store.ts';

const HOUR_MS = 3_600_000;
/** Phones may be many; those that carry little are found on their own page. */
const MOST_ROWS = 500;

type Statuses = Record<MessageStatus, number>;
const noneYet = (): Statuses => Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, 0])) as Statuses;

export const viewStatusRows = (counts: StatusCount[]): StatusRow[] => {
  const rows = new Map<string, StatusRow>();
  for (const { span, channel, type, status, messages } of counts) {
    const key = `${type} ${channel}`;
    const row = rows.get(key) ?? { channel, type, ...noneYet(), total: 0, dayBefore: 0, weekBefore: 0 };
    rows.set(key, row);
    if (span === 1) {
      row[status] += messages;
      row.total += messages;
    } else row[span === 2 ? 'dayBefore' : 'weekBefore'] += messages;
  }
  // Outgoing first; the channels by their names.
  return [...rows].toSorted(([a], [b]) => (a < b ? 1 : -1)).map(([, row]) => row);
};

/** Every hour of the day, those without messages too. */
export const viewHours = (counts: StatusCount[], { from, to }: DaySpan) => {
  const hours = Array.from({ length: Math.round((+to - +from) / HOUR_MS) }, (_, n) => ({
    hour: new Date(+from + n * HOUR_MS).toISOString(),
    ...noneYet(),
  }));
  for (const { span, type, status, hour, messages } of counts) {
    const at = hours[Math.floor((+hour - +from) / HOUR_MS)];
    if (span === 1 && type === 'outgoing' && at) at[status] += messages;
  }
  return hours;
};

/** The end of a bucket, in milliseconds: four to a doubling. */
export const bucketEndMs = (bucket: number | null): number | null =>
  bucket === null ? null : Math.round(2 ** ((bucket + 1) / 4));

const viewFigures = (group: ReportGroup): ReportFigures => {
  const { messages, success, failed, inDoubt, revenueMicros, costMicros } = group;
  const ended = success + failed + inDoubt;
  return {
    messages,
    success,
    failed,
    inDoubt,
    successRate: ended > 0 ? success / ended : null,
    medianMs: bucketEndMs(group.median),
    p95Ms: bucketEndMs(group.p95),
    revenue: numberFromMicros(revenueMicros),
    cost: numberFromMicros(costMicros),
    margin: numberFromMicros(revenueMicros - costMicros),
  };
};

const NOTHING: ReportFigures = {
  messages: 0,
  success: 0,
  failed: 0,
  inDoubt: 0,
  successRate: null,
  medianMs: null,
  p95Ms: null,
  revenue: 0,
  cost: 0,
  margin: 0,
};

/** What there was on any of the days, in the order of the groups: the largest first. */
const rowsOf = (groups: ReportGroup[]): ReportRow[] => {
  const rows = new Map<string, ReportRow>();
  for (const group of groups.toSorted((a, b) => a.span - b.span)) {
    const row = rows.get(group.name) ?? {
      name: group.name,
      now: NOTHING,
      dayBefore: null,
      weekBefore: null,
    };
    const side = group.span === 1 ? 'now' : group.span === 2 ? 'dayBefore' : 'weekBefore';
    rows.set(group.name, { ...row, [side]: viewFigures(group) });
  }
  return [...rows.values()].slice(0, MOST_ROWS);
};

export const viewGroups = (groups: ReportGroup[]) => {
  const of = (dimension: ReportGroup['dimension']) =>
    rowsOf(groups.filter((group) => group.dimension === dimension));
  const [total] = of('total');
  return {
    total: {
      now: total?.now ?? NOTHING,
      dayBefore: total?.dayBefore ?? null,
      weekBefore: total?.weekBefore ?? null,
    },
    by: Object.fromEntries(REPORT_DIMENSIONS.map((dimension) => [dimension, of(dimension)])) as Record<
      ReportDimension,
      ReportRow[]
    >,
  };
};

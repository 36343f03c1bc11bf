import type { ReportDimension } from '../../../contract/office/reports.ts';
import { formatAmount, formatCount, formatMs, formatPercent, regionName } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Change } from './change.tsx';
import { MessagesLink } from './messages-link.tsx';
import type { AdvanceReport, Figures } from './report-queries.ts';
import classes from './reports.module.css';

export type Against = 'dayBefore' | 'weekBefore';

export interface AdvanceRow {
  name: string;
  date: string;
  dimension: ReportDimension;
  now: Figures;
  before: Figures | null;
}

export const rowsOf = (
  { date, by }: AdvanceReport,
  dimension: ReportDimension,
  against: Against,
): AdvanceRow[] =>
  by[dimension].map((row) => ({ name: row.name, date, dimension, now: row.now, before: row[against] }));

/** What a row stands for, in words. */
export const rowName = ({ dimension, name }: Pick<AdvanceRow, 'dimension' | 'name'>): string => {
  if (name === '') return t('report.unknown');
  if (dimension === 'channel') return t(`send.channel.${name as 'sms'}`);
  return dimension === 'country' ? regionName(name) : name;
};

type Key = Exclude<keyof Figures, 'success' | 'inDoubt'>;

const FORMATS: Record<Key, (value: number) => string> = {
  messages: formatCount,
  failed: formatCount,
  successRate: formatPercent,
  medianMs: formatMs,
  p95Ms: formatMs,
  revenue: formatAmount,
  cost: formatAmount,
  margin: formatAmount,
};

export const FIGURES = [
  'messages',
  'failed',
  'successRate',
  'medianMs',
  'p95Ms',
  'revenue',
  'cost',
  'margin',
] as const satisfies Key[];

export const figureText = (figures: Figures, key: Key): string => {
  const value = figures[key];
  return value === null ? '–' : FORMATS[key](value);
};

const Failed = ({ row: { date, dimension, name, now } }: { row: AdvanceRow }) =>
  now.failed === 0 ? (
    <span className={classes.none}>0</span>
  ) : (
    <MessagesLink date={date} status="FAILED" dimension={dimension} name={name}>
      {formatCount(now.failed)}
    </MessagesLink>
  );

/** In rem, so that all fit beside the sidebar of an ordinary window. */
const WIDTHS: Record<Key, number> = {
  messages: 6,
  failed: 5,
  successRate: 7,
  medianMs: 5.5,
  p95Ms: 5,
  revenue: 7.5,
  cost: 6.25,
  margin: 7,
};
/** Where there is little room, the panel beside the list has the others. */
const FIRST_LINE: Key[] = ['messages', 'successRate'];

export const ADVANCE_COLUMNS: Column<AdvanceRow>[] = [
  {
    id: 'name',
    label: () => t('report.name'),
    cell: (row) => <MessagesLink {...row}>{rowName(row)}</MessagesLink>,
    value: (row) => rowName(row),
    width: 7,
    grow: 1,
    sort: 'asc',
    line: 1,
  },
  ...FIGURES.map(
    (key): Column<AdvanceRow> => ({
      id: key,
      label: () => t(`report.figure.${key}`),
      cell: (row) => (
        <>
          {key === 'failed' ? <Failed row={row} /> : figureText(row.now, key)}
          <Change now={row.now[key]} before={row.before?.[key]} />
        </>
      ),
      value: ({ now }) => now[key] ?? -1,
      width: WIDTHS[key],
      kind: 'number',
      sort: 'desc',
      ...(FIRST_LINE.includes(key) && { line: 1 }),
    }),
  ),
];

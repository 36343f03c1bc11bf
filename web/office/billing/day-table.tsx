import { formatCount, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import classes from './billing.module.css';
import { BILLED_CHANNELS, type Day } from './billing-queries.ts';
import { dayName } from './date-names.ts';

const isBusy = (day: Day) =>
  BILLED_CHANNELS.some((channel) => day[channel].messages !== 0 || day[channel].spent !== 0);

const dateOf = ({ date }: Day): string => date;

const COLUMNS: Column<Day>[] = [
  {
    id: 'day',
    label: () => t('billing.day'),
    cell: ({ date }) => dayName(date),
    value: dateOf,
    width: 9,
    grow: 1,
    sort: 'asc',
    line: 1,
  },
  ...BILLED_CHANNELS.map(
    (channel): Column<Day> => ({
      id: channel,
      label: () => t(`billing.channel.${channel}`),
      cell: (day) => (
        <>
          {formatCount(day[channel].messages)}
          <span className={classes.quiet}> · USD {formatExactAmount(day[channel].spent)}</span>
        </>
      ),
      value: (day) => day[channel].messages,
      width: 9.5,
      kind: 'number',
      sort: 'desc',
      line: 2,
    }),
  ),
];

/** The chart's figures as a table; days without messages are left out. */
export const DayTable = ({ days }: { days: Day[] }) => (
  <details className={classes.details}>
    <summary>{t('billing.as_table')}</summary>
    <DataList
      name="billing-days"
      label={t('billing.as_table')}
      columns={COLUMNS}
      rows={days.filter(isBusy)}
      rowId={dateOf}
      empty={t('billing.nothing')}
    />
  </details>
);

import { useQuery } from '@tanstack/react-query';
import type { MessageStatus } from '../../../contract/traffic/messages.ts';
import { formatCount, formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { type ChartSeries, ColumnChart } from '../../ground/ui/column-chart.tsx';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Change } from './change.tsx';
import { MessagesLink } from './messages-link.tsx';
import { type StatusReport, statusQuery } from './report-queries.ts';
import classes from './reports.module.css';

/** In the order of the columns. */
const TONES: Record<MessageStatus, ChartSeries['tone']> = {
  SUCCESS: 'green',
  PENDING: 'ink',
  FAILED: 'red',
  FAILED_WITH_EXCEPTION: 'brass',
  CANCELLED: 'grey',
};
const STATUSES = Object.keys(TONES) as MessageStatus[];

const nameOfStatus = (status: MessageStatus): string =>
  status === 'FAILED_WITH_EXCEPTION' ? t('report.in_doubt') : t(`messages.status.${status}`);

type Row = StatusReport['rows'][number] & { date: string };

const nameOf = ({ channel, type }: Pick<Row, 'channel' | 'type'>): string =>
  `${t(`send.channel.${channel}`)} · ${type === 'incoming' ? t('messages.inbound') : t('messages.outbound')}`;
const idOf = ({ type, channel }: Row): string => `${type} ${channel}`;

const COLUMNS: Column<Row>[] = [
  {
    id: 'channel',
    label: () => t('messages.channel'),
    cell: ({ date, channel, type }) => (
      <MessagesLink date={date} type={type} dimension="channel" name={channel}>
        {nameOf({ channel, type })}
      </MessagesLink>
    ),
    width: 9,
    grow: 1,
    line: 1,
  },
  {
    id: 'total',
    label: () => t('report.total'),
    cell: ({ total, dayBefore }) => (
      <>
        {formatCount(total)}
        <Change now={total} before={dayBefore} />
      </>
    ),
    value: ({ total }) => total,
    width: 5.5,
    kind: 'number',
    sort: 'desc',
    line: 1,
  },
  ...STATUSES.map(
    (status): Column<Row> => ({
      id: status,
      label: () => nameOfStatus(status),
      cell: (row) =>
        row[status] === 0 ? (
          <span className={classes.none}>0</span>
        ) : (
          <MessagesLink
            date={row.date}
            type={row.type}
            status={status}
            dimension="channel"
            name={row.channel}
          >
            {formatCount(row[status])}
          </MessagesLink>
        ),
      value: (row) => row[status],
      width: status === 'CANCELLED' ? 6.5 : 5.5,
      kind: 'number',
      sort: 'desc',
    }),
  ),
  {
    id: 'weekBefore',
    label: () => t('report.week_before'),
    cell: ({ weekBefore }) => formatCount(weekBefore),
    value: ({ weekBefore }) => weekBefore,
    width: 7,
    kind: 'number',
    sort: 'desc',
  },
];

const panel = {
  title: nameOf,
  content: (row: Row) => (
    <Facts
      facts={STATUSES.map((status) => ({ label: nameOfStatus(status), value: formatCount(row[status]) }))}
    />
  ),
};

const says = (hour: StatusReport['hours'][number]): string =>
  t('billing.day_line', {
    day: formatTime(hour.hour).slice(0, 5),
    figures: STATUSES.filter((status) => hour[status] > 0 || status === 'SUCCESS')
      .map((status) => `${nameOfStatus(status)} ${formatCount(hour[status])}`)
      .join(t('billing.between')),
  });

/** The day by channel and status, and by the hour. */
export const StatusPanel = ({ date }: { date: string | undefined }) => {
  const report = useQuery(statusQuery(date));
  const { data } = report;
  return (
    <Panel title={t('report.status')}>
      <div className={classes.beside}>
        <DataList
          name="report-status"
          label={t('report.status')}
          columns={COLUMNS}
          rows={data?.rows.map((row) => ({ ...row, date: data.date })) ?? []}
          rowId={idOf}
          query={report}
          failed={t('report.failed')}
          empty={t('report.nothing')}
          expected={3}
          panel={panel}
        />
        {data && (
          <ColumnChart
            label={t('report.by_hour')}
            series={STATUSES.map((status) => ({ name: nameOfStatus(status), tone: TONES[status] }))}
            columns={data.hours.map((hour) => ({
              id: hour.hour,
              tick: formatTime(hour.hour).slice(0, 2),
              values: STATUSES.map((status) => hour[status]),
              says: says(hour),
            }))}
            format={formatCount}
            hint={t('report.hour_hint')}
            tickAlways={2}
            tickEvery={4}
          />
        )}
      </div>
    </Panel>
  );
};

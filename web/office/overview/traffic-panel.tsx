import { formatCount, formatTime } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { type ChartSeries, ColumnChart } from '../../ground/ui/column-chart.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';
import type { Overview } from './overview-query.ts';

const SERIES = ['sent', 'failed', 'received'] as const;
const COUNTED = ['accepted', ...SERIES] as const;
const TONES: Record<(typeof SERIES)[number], ChartSeries['tone']> = {
  sent: 'green',
  failed: 'red',
  received: 'ink',
};
const NAMES: Record<(typeof COUNTED)[number], () => string> = {
  accepted: () => t('overview.accepted'),
  sent: () => t('overview.sent'),
  failed: () => t('overview.failed_messages'),
  received: () => t('overview.received'),
};
const minuteOf = (iso: string): string => formatTime(iso).slice(0, 5);

/** The last hour, minute by minute. */
export const TrafficPanel = ({ traffic }: Pick<Overview, 'traffic'>) => {
  const sum = (key: (typeof COUNTED)[number]): string =>
    formatCount(traffic.reduce((total, minute) => total + minute[key], 0));
  return (
    <Panel title={t('overview.traffic')}>
      <p className={list.hint}>
        {NAMES.accepted()} {sum('accepted')}
      </p>
      <ColumnChart
        label={t('overview.traffic')}
        series={SERIES.map((key) => ({ name: `${NAMES[key]()} ${sum(key)}`, tone: TONES[key] }))}
        columns={traffic.map((minute) => ({
          id: minute.minute,
          tick: minuteOf(minute.minute),
          values: SERIES.map((key) => minute[key]),
          says: t('billing.day_line', {
            day: minuteOf(minute.minute),
            figures: COUNTED.map((key) => `${NAMES[key]()} ${formatCount(minute[key])}`).join(
              t('billing.between'),
            ),
          }),
        }))}
        format={formatCount}
        hint={t('overview.traffic_hint')}
        tickAlways={10}
        tickEvery={20}
      />
    </Panel>
  );
};

import { formatCount, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { type ChartSeries, ColumnChart } from '../../ground/ui/column-chart.tsx';
import { BILLED_CHANNELS, type BilledChannel, type Day } from './billing-queries.ts';
import { dayName } from './date-names.ts';

export type Measure = 'messages' | 'spent';

const TONES: Record<BilledChannel, ChartSeries['tone']> = { sms: 'ink', email: 'brass', whatsapp: 'green' };

const describe = (day: Day, measure: Measure, format: (value: number) => string): string =>
  t('billing.day_line', {
    day: dayName(day.date),
    figures: BILLED_CHANNELS.map(
      (channel) => `${t(`billing.channel.${channel}`)} ${format(day[channel][measure])}`,
    ).join(t('billing.between')),
  });

/** One column a day. */
export const DayChart = ({ days, measure, label }: { days: Day[]; measure: Measure; label: string }) => {
  const format = measure === 'messages' ? formatCount : formatExactAmount;
  return (
    <ColumnChart
      label={label}
      series={BILLED_CHANNELS.map((channel) => ({
        name: t(`billing.channel.${channel}`),
        tone: TONES[channel],
      }))}
      columns={days.map((day) => ({
        id: day.date,
        tick: String(Number(day.date.slice(8))),
        values: BILLED_CHANNELS.map((channel) => day[channel][measure]),
        says: describe(day, measure, format),
      }))}
      format={format}
      hint={t('billing.chart_hint')}
    />
  );
};

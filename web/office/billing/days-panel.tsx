import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../ground/i18n/translate.ts';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { billDaysQuery } from './billing-queries.ts';
import { monthName } from './date-names.ts';
import { DayChart, type Measure } from './day-chart.tsx';
import { DayTable } from './day-table.tsx';

/** The month by day and channel. */
export const DaysPanel = ({ month }: { month: Parameters<typeof billDaysQuery>[0] }) => {
  const days = useQuery(billDaysQuery(month));
  const [measure, setMeasure] = useState<Measure>('messages');
  const label = days.data
    ? t(`billing.chart.${measure}`, { month: monthName(days.data.date) })
    : t('billing.by_day');
  return (
    <Panel
      title={t('billing.by_day')}
      tools={
        <SegmentedControl
          aria-label={t('billing.measure')}
          value={measure}
          onChange={(value) => setMeasure(value as Measure)}
          data={[
            { value: 'messages', label: t('billing.messages') },
            { value: 'spent', label: t('billing.spent') },
          ]}
        />
      }
    >
      {days.isPending && <Skeleton height={280} radius="md" />}
      {days.isError && (
        <LoadFailure
          text={t('billing.days_failed')}
          reason={days.error.message}
          tryAgain={t('layout.try_again')}
          retrying={days.isFetching}
          onRetry={days.refetch}
        />
      )}
      {days.data && (
        <>
          <DayChart days={days.data.days} measure={measure} label={label} />
          <DayTable days={days.data.days} />
        </>
      )}
    </Panel>
  );
};

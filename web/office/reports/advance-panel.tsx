import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { REPORT_DIMENSIONS } from '../../../contract/office/office-values.ts';
import type { ReportDimension } from '../../../contract/office/reports.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ColumnChart } from '../../ground/ui/column-chart.tsx';
import { DataList } from '../../ground/ui/data-list/data-list.tsx';
import { Facts } from '../../ground/ui/layout/facts.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import list from '../../ground/ui/list.module.css';
import {
  ADVANCE_COLUMNS,
  type AdvanceRow,
  type Against,
  FIGURES,
  figureText,
  rowName,
  rowsOf,
} from './advance-columns.tsx';
import { Change } from './change.tsx';
import { type AdvanceReport, advanceQuery } from './report-queries.ts';
import classes from './reports.module.css';

const MOST_COLUMNS = 12;
const idOf = ({ dimension, name }: AdvanceRow): string => `${dimension} ${name}`;

const panel = {
  title: rowName,
  content: (row: AdvanceRow) => (
    <Facts
      facts={FIGURES.map((key) => ({ label: t(`report.figure.${key}`), value: figureText(row.now, key) }))}
    />
  ),
};

const Totals = ({ report, against }: { report: AdvanceReport; against: Against }) => (
  <dl className={classes.totals}>
    {FIGURES.map((key) => (
      <div key={key}>
        <dt>{t(`report.figure.${key}`)}</dt>
        <dd>
          {figureText(report.total.now, key)}
          <Change now={report.total.now[key]} before={report.total[against]?.[key]} />
        </dd>
      </div>
    ))}
  </dl>
);

const says = (row: AdvanceRow): string =>
  t('billing.day_line', {
    day: rowName(row),
    figures: FIGURES.map((key) => `${t(`report.figure.${key}`)} ${figureText(row.now, key)}`).join(
      t('billing.between'),
    ),
  });

const Chart = ({ rows, label }: { rows: AdvanceRow[]; label: string }) => (
  <ColumnChart
    label={label}
    series={[
      { name: 'SUCCESS', tone: 'green' },
      { name: 'FAILED', tone: 'red' },
      { name: t('report.others'), tone: 'grey' },
    ]}
    columns={rows.slice(0, MOST_COLUMNS).map((row) => ({
      id: idOf(row),
      tick: rowName(row),
      values: [row.now.success, row.now.failed, row.now.messages - row.now.success - row.now.failed],
      says: says(row),
    }))}
    format={formatCount}
    hint={t('report.row_hint')}
    tickEvery={1}
  />
);

/** Success, speed and margin of the day, by what the messages went by. */
export const AdvancePanel = ({ date }: { date: string | undefined }) => {
  const report = useQuery(advanceQuery(date));
  const [dimension, setDimension] = useState<ReportDimension>('channel');
  const [against, setAgainst] = useState<Against>('dayBefore');
  const { data } = report;
  const rows = data ? rowsOf(data, dimension, against) : [];
  const label = t(`report.by.${dimension}`);
  return (
    <Panel
      title={t('report.advance')}
      tools={
        <SegmentedControl
          aria-label={t('report.against')}
          value={against}
          onChange={(value) => setAgainst(value as Against)}
          data={[
            { value: 'dayBefore', label: t('report.day_before') },
            { value: 'weekBefore', label: t('report.week_before') },
          ]}
        />
      }
    >
      {report.isPending && <Skeleton height={84} radius="md" mb="md" />}
      {data && (
        <>
          <Totals report={data} against={against} />
          <p className={list.hint}>{t('report.compared', { until: data.until })}</p>
        </>
      )}
      <SegmentedControl
        className={classes.dimensions}
        aria-label={t('report.dimension')}
        value={dimension}
        onChange={(value) => setDimension(value as ReportDimension)}
        data={REPORT_DIMENSIONS.map((value) => ({ value, label: t(`report.by.${value}`) }))}
      />
      <DataList
        name="report-advance"
        label={label}
        columns={ADVANCE_COLUMNS}
        rows={rows}
        rowId={idOf}
        query={report}
        failed={t('report.failed')}
        empty={t('report.nothing')}
        expected={3}
        panel={panel}
      />
      {rows.length > 0 && <Chart rows={rows} label={label} />}
    </Panel>
  );
};

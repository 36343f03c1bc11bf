import { NativeSelect } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { QueryResult } from '../../../contract/office/query.ts';
import { t } from '../../ground/i18n/translate.ts';
import classes from './result.module.css';
import { isNumber } from './result-columns.tsx';

const MOST_BARS = 50;

/** A bar for each of the first rows: one column names it, another one gives its length. */
export const ResultChart = ({ result: { columns, rows } }: { result: QueryResult }) => {
  const numeric = columns.flatMap(({ type }, at) => (isNumber(type) ? [at] : []));
  const [named, setNamed] = useState(() =>
    Math.max(
      0,
      columns.findIndex(({ type }) => !isNumber(type)),
    ),
  );
  const [measured, setMeasured] = useState(numeric.find((at) => at !== named) ?? numeric[0]);
  if (measured === undefined) return <p>{t('qf.no_numbers')}</p>;
  const bars = rows.slice(0, MOST_BARS).map((row, at) => ({
    at,
    name: row[named] ?? 'NULL',
    text: row[measured] ?? 'NULL',
    value: Number(row[measured] ?? 0) || 0,
  }));
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), 0);
  const choices = (places: number[]) =>
    places.map((at) => ({ value: String(at), label: columns[at]?.name ?? '' }));
  return (
    <>
      <div className={classes.choices}>
        <NativeSelect
          label={t('qf.chart_names')}
          data={choices(columns.map((_, at) => at))}
          value={String(named)}
          onChange={({ currentTarget }) => setNamed(Number(currentTarget.value))}
        />
        <NativeSelect
          label={t('qf.chart_values')}
          data={choices(numeric)}
          value={String(measured)}
          onChange={({ currentTarget }) => setMeasured(Number(currentTarget.value))}
        />
      </div>
      <dl className={classes.chart} aria-label={t('qf.chart')}>
        {bars.map(({ at, name, text, value }) => (
          <Fragment key={at}>
            <dt title={name}>{name}</dt>
            <dd aria-hidden="true">
              <div
                className={classes.bar}
                style={{ width: most > 0 ? `${(Math.abs(value) / most) * 100}%` : 0 }}
              />
            </dd>
            <dd>{text}</dd>
          </Fragment>
        ))}
      </dl>
      {rows.length > MOST_BARS && <p>{t('qf.chart_first', { count: MOST_BARS })}</p>}
    </>
  );
};

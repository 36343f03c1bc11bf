import { type KeyboardEvent, useRef, useState } from 'react';
import { scaleOf } from './chart-scale.ts';
import classes from './column-chart.module.css';

export interface ChartSeries {
  name: string;
  tone: 'ink' | 'brass' | 'green' | 'red' | 'grey';
}

export interface ChartColumn {
  id: string;
  /** Below the column. */
  tick: string;
  /** In the order of the series. */
  values: number[];
  /** Says the column and its figures. */
  says: string;
}

interface ColumnChartProps {
  label: string;
  series: ChartSeries[];
  columns: ChartColumn[];
  format: (value: number) => string;
  /** Shown as long as no column is chosen. */
  hint: string;
  /** Where there is little room, one tick of so many is shown. */
  tickEvery?: number;
  /** One tick of so many is shown however much room there is. */
  tickAlways?: number;
}

const Stack = ({
  values,
  series,
  scale,
}: Pick<ChartColumn, 'values'> &
  Pick<ColumnChartProps, 'series'> & { scale: ReturnType<typeof scaleOf> }) => {
  const part = (sign: 1 | -1) =>
    series.map(({ name, tone }, at) => {
      const value = values[at] ?? 0;
      return value * sign > 0 ? (
        <span
          key={name}
          className={classes.bar}
          data-tone={tone}
          style={{ flexBasis: `${scale.height(value)}%` }}
        />
      ) : null;
    });
  return (
    <>
      <span className={classes.up} style={{ bottom: `${scale.zero}%`, height: '100%' }}>
        {part(1)}
      </span>
      <span className={classes.down} style={{ top: `${100 - scale.zero}%`, height: '100%' }}>
        {part(-1)}
      </span>
    </>
  );
};

const STEPS: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => Math.max(at - 1, 0),
  ArrowRight: (at, last) => Math.min(at + 1, last),
  Home: () => 0,
  End: (_, last) => last,
};

/** Stacked columns. One of them takes the focus, the arrow keys move to the others, and each announces its figures. */
export const ColumnChart = (props: ColumnChartProps) => {
  const { label, series, columns, format, hint, tickEvery = 5, tickAlways = 1 } = props;
  const [at, setAt] = useState<number>();
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const scale = scaleOf(columns.map(({ values }) => values));
  const shown = at === undefined ? undefined : columns[at];
  const step = (event: KeyboardEvent, from: number) => {
    const to = STEPS[event.key]?.(from, columns.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    buttons.current[to]?.focus();
  };
  return (
    <div className={classes.chart}>
      <ul className={classes.legend}>
        {series.map(({ name, tone }) => (
          <li key={name}>
            <span className={classes.mark} data-tone={tone} />
            {name}
          </li>
        ))}
      </ul>
      <div className={classes.plot}>
        <div className={classes.axis} aria-hidden="true">
          <span style={{ bottom: '100%' }}>{format(scale.top)}</span>
          <span style={{ bottom: `${scale.zero}%` }}>0</span>
          {scale.bottom < 0 && <span style={{ bottom: '0%' }}>{format(scale.bottom)}</span>}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
        <div
          className={classes.columns}
          role="group"
          aria-label={label}
          onPointerLeave={() => setAt(undefined)}
        >
          <span className={classes.zero} style={{ bottom: `${scale.zero}%` }} />
          {columns.map(({ id, says, values }, index) => (
            <button
              key={id}
              type="button"
              ref={(button) => {
                buttons.current[index] = button;
              }}
              className={classes.column}
              aria-label={says}
              tabIndex={index === (at ?? 0) ? 0 : -1}
              data-shown={index === at || undefined}
              onFocus={() => setAt(index)}
              onPointerEnter={() => setAt(index)}
              onKeyDown={(event) => step(event, index)}
            >
              <Stack values={values} series={series} scale={scale} />
            </button>
          ))}
        </div>
        <div className={classes.ticks} data-sparse={tickAlways > 1 || undefined} aria-hidden="true">
          {columns.map(({ id, tick }, index) => (
            <span key={id} data-every={index % tickEvery === 0 ? tickEvery : undefined}>
              {index % tickAlways === 0 && tick}
            </span>
          ))}
        </div>
      </div>
      <p className={classes.description}>{shown ? shown.says : hint}</p>
    </div>
  );
};

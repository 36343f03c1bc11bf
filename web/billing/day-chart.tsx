import { type KeyboardEvent, useRef, useState } from 'react';
import { formatCount, formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { BILLED_CHANNELS, type BilledChannel, type Day } from './billing-queries.ts';
import { scaleOf } from './chart-scale.ts';
import { dayName } from './date-names.ts';
import classes from './day-chart.module.css';

export type Measure = 'messages' | 'spent';

const formatMeasure = (measure: Measure, value: number) =>
  measure === 'messages' ? formatCount(value) : formatExactAmount(value);

const describe = (day: Day, measure: Measure): string =>
  t('billing.day_line', {
    day: dayName(day.date),
    figures: BILLED_CHANNELS.map(
      (channel) => `${t(`billing.channel.${channel}`)} ${formatMeasure(measure, day[channel][measure])}`,
    ).join(t('billing.between')),
  });

const Stack = ({
  day,
  measure,
  scale,
}: {
  day: Day;
  measure: Measure;
  scale: ReturnType<typeof scaleOf>;
}) => {
  const part = (sign: 1 | -1) =>
    BILLED_CHANNELS.filter((channel) => day[channel][measure] * sign > 0).map((channel: BilledChannel) => (
      <span
        key={channel}
        className={classes.bar}
        data-channel={channel}
        style={{ flexBasis: `${scale.height(day[channel][measure])}%` }}
      />
    ));
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

/** One column a day. One of them takes the focus, the arrow keys move to the others, and each announces its figures. */
export const DayChart = ({ days, measure, label }: { days: Day[]; measure: Measure; label: string }) => {
  const [at, setAt] = useState<number>();
  const columns = useRef<(HTMLButtonElement | null)[]>([]);
  const scale = scaleOf(days.map((day) => BILLED_CHANNELS.map((channel) => day[channel][measure])));
  const shown = at === undefined ? undefined : days[at];
  const step = (event: KeyboardEvent, from: number) => {
    const to = STEPS[event.key]?.(from, days.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    columns.current[to]?.focus();
  };
  return (
    <div className={classes.chart}>
      <ul className={classes.legend}>
        {BILLED_CHANNELS.map((channel) => (
          <li key={channel}>
            <span className={classes.mark} data-channel={channel} />
            {t(`billing.channel.${channel}`)}
          </li>
        ))}
      </ul>
      <div className={classes.plot}>
        <div className={classes.axis} aria-hidden="true">
          <span style={{ bottom: '100%' }}>{formatMeasure(measure, scale.top)}</span>
          <span style={{ bottom: `${scale.zero}%` }}>0</span>
          {scale.bottom < 0 && <span style={{ bottom: '0%' }}>{formatMeasure(measure, scale.bottom)}</span>}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
        <div
          className={classes.columns}
          role="group"
          aria-label={label}
          onPointerLeave={() => setAt(undefined)}
        >
          <span className={classes.zero} style={{ bottom: `${scale.zero}%` }} />
          {days.map((day, index) => (
            <button
              key={day.date}
              type="button"
              ref={(column) => {
                columns.current[index] = column;
              }}
              className={classes.column}
              aria-label={describe(day, measure)}
              tabIndex={index === (at ?? 0) ? 0 : -1}
              data-shown={index === at || undefined}
              onFocus={() => setAt(index)}
              onPointerEnter={() => setAt(index)}
              onKeyDown={(event) => step(event, index)}
            >
              <Stack day={day} measure={measure} scale={scale} />
            </button>
          ))}
        </div>
        <div className={classes.days} aria-hidden="true">
          {days.map(({ date }, index) => (
            <span key={date} data-every={index % 5 === 0 ? 5 : undefined}>
              {Number(date.slice(8))}
            </span>
          ))}
        </div>
      </div>
      <p className={classes.description}>{shown ? describe(shown, measure) : t('billing.chart_hint')}</p>
    </div>
  );
};

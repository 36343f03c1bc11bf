import { formatCount, formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import classes from './billing.module.css';
import { BILLED_CHANNELS, type Day } from './billing-queries.ts';
import { dayName } from './date-names.ts';

const isBusy = (day: Day) =>
  BILLED_CHANNELS.some((channel) => day[channel].messages !== 0 || day[channel].spent !== 0);

/** The chart's figures as a table; days without messages are left out. */
export const DayTable = ({ days }: { days: Day[] }) => (
  <details className={classes.details}>
    <summary>{t('billing.as_table')}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
    <section className={classes.scroll} aria-label={t('billing.as_table')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('billing.day')}</th>
            {BILLED_CHANNELS.map((channel) => (
              <th key={channel} scope="col" className={classes.number}>
                {t(`billing.channel.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.filter(isBusy).map((day) => (
            <tr key={day.date}>
              <th scope="row">{dayName(day.date)}</th>
              {BILLED_CHANNELS.map((channel) => (
                <td key={channel} className={classes.number}>
                  {formatCount(day[channel].messages)}
                  <div className={classes.quiet}>USD {formatExactAmount(day[channel].spent)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </details>
);

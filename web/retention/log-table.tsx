import { formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import classes from '../ui/list.module.css';
import { runText } from './period-text.ts';
import type { Retention } from './retention-query.ts';

export const LogTable = ({ log }: Pick<Retention, 'log'>) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th scope="col">{t('retention.when')}</th>
        <th scope="col">{t('retention.rule')}</th>
        <th scope="col">{t('retention.outcome')}</th>
        <th scope="col" className={classes.aside}>
          {t('retention.cutoff')}
        </th>
      </tr>
    </thead>
    <tbody>
      {log.map((run) => (
        <tr key={`${run.rule} ${run.ranAt}`}>
          <td>
            <time dateTime={run.ranAt}>{formatDateTime(run.ranAt)}</time>
          </td>
          <td className={classes.text}>
            <code>{run.rule}</code>
          </td>
          <td>{runText(run)}</td>
          <td className={classes.aside}>
            <time dateTime={run.cutoff}>{formatDateTime(run.cutoff)}</time>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

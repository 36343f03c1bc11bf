import { formatCount, formatDateTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import classes from '../ui/list.module.css';
import { Tag } from '../ui/tag.tsx';
import { periodText, runText } from './period-text.ts';
import type { Retention } from './retention-query.ts';

type Rule = Retention['rules'][number];

const Last = ({ last }: Pick<Rule, 'last'>) =>
  last === null ? (
    <span className={classes.quiet}>{t('retention.never')}</span>
  ) : (
    <>
      <time dateTime={last.ranAt}>{formatDateTime(last.ranAt)}</time>
      <div className={classes.quiet}>{runText(last)}</div>
    </>
  );

const Due = ({ due, nextIsDry }: Pick<Rule, 'due' | 'nextIsDry'>) => (
  <span className={classes.tags}>
    <span>{formatCount(due)}</span>
    {nextIsDry && due > 0 && <Tag tone="wait">{t('retention.dry')}</Tag>}
  </span>
);

export const RulesTable = ({ rules }: Pick<Retention, 'rules'>) => (
  <table className={classes.table}>
    <thead>
      <tr>
        <th scope="col">{t('retention.what')}</th>
        <th scope="col" className={classes.aside}>
          {t('retention.period')}
        </th>
        <th scope="col">{t('retention.due')}</th>
        <th scope="col" className={classes.aside}>
          {t('retention.last')}
        </th>
      </tr>
    </thead>
    <tbody>
      {rules.map(({ name, days, removes, due, nextIsDry, last }) => (
        <tr key={name}>
          <td className={classes.text}>
            <div>{removes}</div>
            <code className={classes.quiet}>{name}</code>
            <div className={classes.below}>
              <span>{periodText(name, days)}</span>
              <div>
                <Last last={last} />
              </div>
            </div>
          </td>
          <td className={classes.aside}>{periodText(name, days)}</td>
          <td>
            <Due due={due} nextIsDry={nextIsDry} />
          </td>
          <td className={`${classes.aside} ${classes.short}`}>
            <Last last={last} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

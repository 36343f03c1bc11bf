import type { Upload } from '../../../contract/traffic/uploads.ts';
import { formatCount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import preflight from './preflight.module.css';
import { RefusalList } from './refusal-list.tsx';
import classes from './refusals.module.css';

const Reasons = ({ reasons }: Pick<Upload, 'reasons'>) => (
  <div>
    <h3>{t('send.check.reasons')}</h3>
    <ul className={classes.reasons}>
      {reasons.map(({ code, message, count }) => (
        <li key={code}>
          <span>{message}</span>
          <strong>{formatCount(count)}</strong>
        </li>
      ))}
    </ul>
  </div>
);

/** Which rows can't be sent and why: all reasons with their numbers, and the first rows one by one. */
export const Refusals = ({ upload }: { upload: Upload }) => {
  const { reasons, refusals, refused } = upload;
  const shown =
    refusals.length < refused
      ? t('send.check.first_refusals', { shown: formatCount(refusals.length), refused: formatCount(refused) })
      : t('send.check.refusals', { refused: formatCount(refused) });
  return (
    <>
      <Reasons reasons={reasons} />
      <details className={classes.rows} open={refusals.length <= 5}>
        <summary>{shown}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <section className={classes.scroll} tabIndex={0} aria-label={shown}>
          <RefusalList refusals={refusals} label={shown} />
        </section>
      </details>
      <p className={`${preflight.line} ${preflight.quiet}`}>{t('send.check.correct')}</p>
    </>
  );
};

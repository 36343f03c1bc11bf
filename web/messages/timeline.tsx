import { t } from '../i18n/translate.ts';
import { formatMoment } from './days.ts';
import type { Timeline as Told } from './details-query.ts';
import { toneOf, waitingWords, wordsOf } from './step-text.ts';
import classes from './timeline.module.css';

/** What happened to a message, in its order, and what it waits for. */
export const Timeline = ({ steps, waiting }: Pick<Told, 'steps' | 'waiting'>) => (
  <ol className={classes.steps}>
    {steps.map((step, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: Steps are only added at the end; two may be alike.
      <li key={place} data-tone={toneOf(step)}>
        <div className={classes.head}>
          <span className={classes.name}>{t(`details.step.${step.kind}`)}</span>
          <time dateTime={step.at}>{formatMoment(step.at)}</time>
        </div>
        {wordsOf(step).length > 0 && <p className={classes.words}>{wordsOf(step).join(' · ')}</p>}
      </li>
    ))}
    {waiting && (
      <li data-tone="waiting">
        <div className={classes.head}>
          <span className={classes.name}>{t('details.waiting')}</span>
        </div>
        <p className={classes.words}>{waitingWords(waiting)}</p>
      </li>
    )}
  </ol>
);

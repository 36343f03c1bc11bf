import { t } from '../../../ground/i18n/translate.ts';
import classes from '../../../ground/ui/layout/steps.module.css';
import { formatSecond } from '../search/days.ts';
import type { Timeline as Answer } from './details-query.ts';
import { stepTexts, toneOf, waitingText } from './step-text.ts';

/** The steps of a message in order, and what it waits for. */
export const TimelineSteps = ({ steps, waiting }: Pick<Answer, 'steps' | 'waiting'>) => (
  <ol className={classes.steps}>
    {steps.map((step, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: Steps are only added at the end; two may be alike.
      <li key={place} data-tone={toneOf(step)}>
        <div className={classes.head}>
          <span className={classes.name}>{t(`details.step.${step.kind}`)}</span>
          <time dateTime={step.at}>{formatSecond(step.at)}</time>
        </div>
        {stepTexts(step).length > 0 && <p className={classes.texts}>{stepTexts(step).join(' · ')}</p>}
      </li>
    ))}
    {waiting && (
      <li data-tone="waiting">
        <div className={classes.head}>
          <span className={classes.name}>{t('details.waiting')}</span>
        </div>
        <p className={classes.texts}>{waitingText(waiting)}</p>
      </li>
    )}
  </ol>
);

import { formatCount, formatDateTime, formatDuration } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { ProgressBar } from '../../ground/ui/feedback/progress-bar.tsx';
import { type BatchRecord, countOf, isWaiting } from './batch-queries.ts';
import classes from './batches.module.css';

const endedOf = (batch: BatchRecord): number => batch.total - countOf(batch, 'PENDING');

/** In the width of a column. */
export const ShortProgress = ({ batch }: { batch: BatchRecord }) => {
  const [ended, total] = [formatCount(endedOf(batch)), formatCount(batch.total)];
  return (
    <span className={classes.progress} title={t('send.batch.ended', { ended, total })}>
      <ProgressBar
        label={t('send.batch.ended', { ended, total })}
        share={batch.total > 0 ? endedOf(batch) / batch.total : 1}
      />
      <span>
        {ended} / {total}
      </span>
    </span>
  );
};

/** How far it has got, and how long the rest may take where that was measured. */
export const FileProgress = ({ batch }: { batch: BatchRecord }) => {
  const [ended, total] = [formatCount(endedOf(batch)), formatCount(batch.total)];
  const done = isWaiting(batch)
    ? t('send.batch.ended', { ended, total })
    : t('send.batch.all_ended', { total });
  const due = batch.sendAt !== null && Date.parse(batch.sendAt) > Date.now() ? batch.sendAt : undefined;
  return (
    <div>
      <p className={classes.line}>
        <span>{due && isWaiting(batch) ? t('send.later.at', { time: formatDateTime(due) }) : done}</span>
        {batch.secondsLeft !== null && (
          <span>{t('send.batch.left', { time: formatDuration(batch.secondsLeft) })}</span>
        )}
      </p>
      <ProgressBar label={done} share={batch.total > 0 ? endedOf(batch) / batch.total : 1} />
    </div>
  );
};

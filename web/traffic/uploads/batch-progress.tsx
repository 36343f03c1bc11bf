import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { BatchId, MessageStatus } from '../../../contract/traffic/messages.ts';
import type { Upload, UploadId } from '../../../contract/traffic/uploads.ts';
import { formatCount, formatDateTime, formatDuration, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CancelWaiting } from '../../ground/message-status/cancel-waiting.tsx';
import { StatusTag } from '../../ground/message-status/status-tag.tsx';
import { LoadFailure } from '../../ground/ui/feedback/load-failure.tsx';
import { ProgressBar } from '../../ground/ui/feedback/progress-bar.tsx';
import { Panel } from '../../ground/ui/layout/panel.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { DownloadRefused } from './download-refused.tsx';
import classes from './preflight.module.css';
import { isFinal, type UploadedBatch, uploadedBatchQuery, uploadQuery } from './upload-queries.ts';

interface BatchProgressProps {
  batchId: BatchId;
  /** The file that the batch came from, if known. */
  uploadId: UploadId | undefined;
  onLeave: () => void;
}

const endedOf = ({ total, counts }: UploadedBatch): number => total - (counts.PENDING ?? 0);

/** Announced at every tenth, so that a screen reader does not speak every second. */
const Announcement = ({ progress }: { progress: UploadedBatch }) => {
  const { total } = progress;
  const share = total > 0 ? endedOf(progress) / total : 1;
  return (
    <p className="visually-hidden" aria-live="polite">
      {isFinal(progress)
        ? t('send.batch.all_ended', { total: formatCount(total) })
        : t('send.batch.percent', { percent: Math.floor(share * 10) * 10 })}
    </p>
  );
};

const Counts = ({ counts }: Pick<UploadedBatch, 'counts'>) => (
  <ul className={classes.counts} aria-label={t('send.batch.by_status')}>
    {Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([status, count]) => (
        <li key={status}>
          <StatusTag status={status as MessageStatus} />
          <strong>{formatCount(count)}</strong>
        </li>
      ))}
  </ul>
);

const Outcome = ({ counts }: Pick<UploadedBatch, 'counts'>) => (
  <>
    {(counts.FAILED ?? 0) > 0 && <p className={classes.summary}>{t('send.batch.refunded')}</p>}
    {(counts.FAILED_WITH_EXCEPTION ?? 0) > 0 && <p className={classes.summary}>{t('send.batch.unknown')}</p>}
  </>
);

const Shown = ({ progress, upload }: { progress: UploadedBatch; upload: Upload | undefined }) => {
  const { total, createdAt, price, channel, test } = progress;
  const ended = endedOf(progress);
  const final = isFinal(progress);
  // Nothing is sent before the scheduled time.
  const sendAt =
    ended === 0 && progress.sendAt !== null && new Date(progress.sendAt) > new Date() && progress.sendAt;
  const done = final
    ? t('send.batch.all_ended', { total: formatCount(total) })
    : t('send.batch.ended', { ended: formatCount(ended), total: formatCount(total) });
  return (
    <>
      <p className={classes.file}>
        {upload && <strong>{upload.fileName}</strong>}
        <span className={classes.quiet}>{t(`send.channel.${channel}`)}</span>
        {test && <Tag tone="brass">{t('send.test')}</Tag>}
        <span className={classes.quiet}>
          {t('send.batch.facts', { time: formatDateTime(createdAt), price: formatExactAmount(price) })}
        </span>
      </p>
      <div>
        <p className={classes.line}>
          <span>{sendAt ? t('send.later.at', { time: formatDateTime(sendAt) }) : done}</span>
          {progress.secondsLeft !== null && (
            <span>{t('send.batch.left', { time: formatDuration(progress.secondsLeft) })}</span>
          )}
        </p>
        <ProgressBar label={done} share={total > 0 ? ended / total : 1} />
      </div>
      <Counts counts={progress.counts} />
      {final ? (
        <Outcome counts={progress.counts} />
      ) : (
        <p className={`${classes.summary} ${classes.quiet}`}>{t('send.batch.may_leave')}</p>
      )}
      {upload && upload.refused > 0 && (
        <p className={classes.summary}>{t('send.batch.refused', { count: formatCount(upload.refused) })}</p>
      )}
      <Announcement progress={progress} />
    </>
  );
};

/** The progress of a batch until all of its messages have ended. */
export const BatchProgress = ({ batchId, uploadId, onLeave }: BatchProgressProps) => {
  const query = useQuery(uploadedBatchQuery(batchId));
  const { data: upload } = useQuery({
    ...uploadQuery(uploadId as UploadId),
    enabled: uploadId !== undefined,
  });
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Panel title={t('send.batch')} titleRef={title}>
      <div className={classes.parts}>
        {query.isError && (
          <LoadFailure
            text={t('send.batch.failed')}
            reason={query.error.message}
            tryAgain={t('layout.try_again')}
            retrying={query.isFetching}
            onRetry={query.refetch}
          />
        )}
        {query.isPending && <Skeleton height={180} radius="md" />}
        {query.data && <Shown progress={query.data.value} upload={upload} />}
        <div className={classes.buttons}>
          <Button size="md" variant="default" onClick={onLeave}>
            {t('send.batch.another')}
          </Button>
          {query.data && !isFinal(query.data.value) && <CancelWaiting batchId={batchId} />}
          <Link to="/dashboard/messages/batches/$batchId" params={{ batchId }} className={classes.link}>
            {t('send.batch.result')}
          </Link>
          {upload && upload.refused > 0 && <DownloadRefused uploadId={upload._id} />}
        </div>
      </div>
    </Panel>
  );
};

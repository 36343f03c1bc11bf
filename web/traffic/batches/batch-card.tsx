import type { ReactNode } from 'react';
import { formatDateTime, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { CancelWaiting } from '../../ground/message-status/cancel-waiting.tsx';
import { Tag } from '../../ground/ui/tag.tsx';
import { FileProgress } from './batch-progress.tsx';
import { type BatchRecord, countOf, isWaiting } from './batch-queries.ts';
import classes from './batches.module.css';
import { type CountedAs, CounterLink } from './counter-links.tsx';
import { DownloadFailed, ExportResults } from './download-rows.tsx';
import { ResendFailed, type ResendProps } from './resend-failed.tsx';

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
);

const Counters = ({ batch }: { batch: BatchRecord }) => {
  const counters: [string, number, CountedAs][] = [
    [t('batches.waiting'), countOf(batch, 'PENDING'), { status: 'PENDING' }],
    [t('batches.sent'), countOf(batch, 'SUCCESS'), { status: 'SUCCESS' }],
    [t('batches.of_sent'), batch.delivered, { status: 'SUCCESS', delivered: 'true' }],
    [t('batches.failed'), countOf(batch, 'FAILED'), { status: 'FAILED' }],
    [t('batches.in_doubt'), countOf(batch, 'FAILED_WITH_EXCEPTION'), { status: 'FAILED_WITH_EXCEPTION' }],
    [t('batches.cancelled'), countOf(batch, 'CANCELLED'), { status: 'CANCELLED' }],
  ];
  return (
    <dl className={classes.figures} aria-label={t('send.batch.by_status')}>
      {counters.map(([label, count, which]) => (
        <Fact key={label} label={label}>
          <CounterLink batch={batch} count={count} which={which} />
        </Fact>
      ))}
    </dl>
  );
};

export const sentBy = ({ byPage, email }: BatchRecord): string => {
  const way = byPage ? t('batches.by_page') : t('batches.by_program');
  return email === null ? way : `${email} · ${way}`;
};

const Facts = ({ batch }: { batch: BatchRecord }) => (
  <dl className={classes.facts}>
    <Fact label={t('messages.channel')}>
      {t(`send.channel.${batch.channel}`)} {batch.test && <Tag tone="brass">{t('send.test')}</Tag>}
    </Fact>
    <Fact label={t('batches.sent_by')}>{sentBy(batch)}</Fact>
    <Fact label={t('messages.created')}>{formatDateTime(batch.createdAt)}</Fact>
    {batch.sendAt && <Fact label={t('batches.schedule')}>{formatDateTime(batch.sendAt)}</Fact>}
    {batch.cancelledAt && <Fact label={t('batches.cancelled')}>{formatDateTime(batch.cancelledAt)}</Fact>}
    <Fact label={t('batches.cost')}>
      {batch.cost === batch.price
        ? `USD ${formatExactAmount(batch.cost)}`
        : t('batches.cost_of', {
            cost: formatExactAmount(batch.cost),
            price: formatExactAmount(batch.price),
          })}
    </Fact>
  </dl>
);

interface BatchCardProps extends Pick<ResendProps, 'onChecked'> {
  batch: BatchRecord;
  /** Whether it belongs to the reader's own account; an admin may read others'. */
  own: boolean;
}

/** What became of a file, and what can be done about it. */
export const BatchCard = ({ batch, own, onChecked }: BatchCardProps) => {
  const failed = countOf(batch, 'FAILED') > 0;
  return (
    <div className={classes.card}>
      <FileProgress batch={batch} />
      <Counters batch={batch} />
      {failed && <p className={classes.note}>{t('batches.refunded')}</p>}
      {countOf(batch, 'FAILED_WITH_EXCEPTION') > 0 && (
        <p className={classes.note}>{t('batches.in_doubt_hint')}</p>
      )}
      <Facts batch={batch} />
      <div className={classes.buttons}>
        {own && failed && batch.kind === 'CSV' && <ResendFailed batchId={batch._id} onChecked={onChecked} />}
        {own && failed && <DownloadFailed batchId={batch._id} />}
        {own && <ExportResults batch={batch} />}
        {own && isWaiting(batch) && <CancelWaiting batchId={batch._id} />}
      </div>
    </div>
  );
};

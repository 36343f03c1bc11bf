import { Link } from '@tanstack/react-router';
import { formatAmount, formatDateTime, formatExactAmount } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import type { Column } from '../../ground/ui/data-list/column.ts';
import { Tag } from '../../ground/ui/tag.tsx';
import { sentBy } from './batch-card.tsx';
import { ShortProgress } from './batch-progress.tsx';
import { type BatchRecord, countOf } from './batch-queries.ts';
import classes from './batches.module.css';
import { type CountedAs, CounterLink } from './counter-links.tsx';

/** A file without a name is called by its time. */
export const batchName = ({ fileName, createdAt }: BatchRecord): string =>
  fileName || formatDateTime(createdAt);

const File = ({ batch }: { batch: BatchRecord }) => (
  <span className={classes.named}>
    <Link
      to="/dashboard/messages/batches/$batchId"
      params={{ batchId: batch._id }}
      className={classes.file}
      title={batchName(batch)}
    >
      {batchName(batch)}
    </Link>
    {batch.test && <Tag tone="brass">{t('send.test')}</Tag>}
  </span>
);

const Moment = ({ at }: { at: string | null }) => at && <time dateTime={at}>{formatDateTime(at)}</time>;

const counter = (
  id: string,
  label: () => string,
  { count, which }: { count: (batch: BatchRecord) => number; which: CountedAs },
): Column<BatchRecord> => ({
  id,
  label,
  cell: (batch) => <CounterLink batch={batch} count={count(batch)} which={which} />,
  width: 4.5,
  kind: 'number',
  choice: 'shown',
});

export const BATCH_COLUMNS: Column<BatchRecord>[] = [
  {
    id: 'file',
    label: () => t('batches.file'),
    cell: (batch) => <File batch={batch} />,
    width: 8.5,
    grow: 2,
    line: 1,
  },
  {
    id: 'sentBy',
    label: () => t('batches.sent_by'),
    cell: sentBy,
    width: 6,
    grow: 1,
    choice: 'shown',
  },
  {
    id: 'channel',
    label: () => t('messages.channel'),
    cell: ({ channel }) => t(`send.channel.${channel}`),
    width: 5.5,
    choice: 'hidden',
  },
  {
    id: 'createdAt',
    label: () => t('messages.created'),
    cell: ({ createdAt }) => <Moment at={createdAt} />,
    width: 8.75,
    line: 2,
  },
  {
    id: 'sendAt',
    label: () => t('batches.schedule'),
    cell: ({ sendAt }) => <Moment at={sendAt} />,
    width: 8.75,
    choice: 'shown',
  },
  {
    id: 'progress',
    label: () => t('batches.progress'),
    cell: (batch) => <ShortProgress batch={batch} />,
    width: 7,
    grow: 1,
    line: 2,
  },
  {
    id: 'sent',
    label: () => t('batches.delivered_of_sent'),
    cell: (batch) => (
      <>
        <CounterLink batch={batch} count={batch.delivered} which={{ status: 'SUCCESS', delivered: 'true' }} />
        {' / '}
        <CounterLink batch={batch} count={countOf(batch, 'SUCCESS')} which={{ status: 'SUCCESS' }} />
      </>
    ),
    width: 7,
    kind: 'number',
    choice: 'shown',
  },
  counter('failed', () => t('batches.failed'), {
    count: (batch) => countOf(batch, 'FAILED'),
    which: { status: 'FAILED' },
  }),
  counter('inDoubt', () => t('batches.in_doubt'), {
    count: (batch) => countOf(batch, 'FAILED_WITH_EXCEPTION'),
    which: { status: 'FAILED_WITH_EXCEPTION' },
  }),
  {
    id: 'cost',
    label: () => t('batches.cost_usd'),
    cell: ({ cost }) => <span title={formatExactAmount(cost)}>{formatAmount(cost)}</span>,
    width: 5,
    kind: 'number',
    line: 1,
  },
];

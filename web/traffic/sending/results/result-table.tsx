import { Link } from '@tanstack/react-router';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import { formatDateTime, formatExactAmount, formatTime } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { CancelWaiting } from '../../../ground/message-status/cancel-waiting.tsx';
import { StatusTag } from '../../../ground/message-status/status-tag.tsx';
import { CopyButton } from '../../../ground/ui/copy-button.tsx';
import type { Column } from '../../../ground/ui/data-list/column.ts';
import { DataList } from '../../../ground/ui/data-list/data-list.tsx';
import { toastSuccess } from '../../../ground/ui/feedback/toast.ts';
import { Tag } from '../../../ground/ui/tag.tsx';
import classes from './result-table.module.css';
import { resultStatus, type SentRow } from './results-csv.ts';

/** What there is to say besides the status. */
const noteOf = (result: SentRow): string => {
  const status = resultStatus(result);
  const { reason, deliveredAt } = result.message ?? {};
  if (reason) return reason;
  if (status === 'PENDING' && result.sent.sendAt)
    return t('send.later.at', { time: formatDateTime(result.sent.sendAt) });
  return status === 'SUCCESS' && deliveredAt ? t('send.delivered', { time: formatTime(deliveredAt) }) : '';
};

const Status = ({ result }: { result: SentRow }) => {
  const note = noteOf(result);
  const waits = resultStatus(result) === 'PENDING' && result.sent.sendAt;
  return (
    <div role="status" className={classes.status}>
      <StatusTag status={resultStatus(result)} />
      <span className={result.message?.reason ? classes.reason : classes.quiet} title={note}>
        {note}
      </span>
      {waits && <CancelWaiting messageId={result.sent._id} />}
    </div>
  );
};

const Channel = ({ result: { sent } }: { result: SentRow }) => (
  <span className={classes.status}>
    {t(`send.channel.${sent.channel}`)}
    {sent.test && <Tag tone="brass">{t('send.test')}</Tag>}
  </span>
);

const MessageIdentifier = ({ id }: { id: MessageId }) => (
  <span className={classes.id}>
    <Link
      to="/dashboard/messages/details/$messageId"
      params={{ messageId: id }}
      aria-label={t('send.open', { id })}
    >
      <code>{id}</code>
    </Link>
    <CopyButton
      value={id}
      label={t('send.copy_id', { id })}
      onCopied={() => toastSuccess(t('send.copied', { text: id }))}
    />
  </span>
);

const COLUMNS: Column<SentRow>[] = [
  {
    id: 'time',
    label: () => t('send.time'),
    cell: ({ sent }) => (
      <time dateTime={sent.at} title={formatDateTime(sent.at)}>
        {formatTime(sent.at)}
      </time>
    ),
    width: 6,
    line: 2,
  },
  {
    id: 'channel',
    label: () => t('send.channel'),
    cell: (result) => <Channel result={result} />,
    width: 7.25,
    line: 2,
  },
  {
    id: 'target',
    label: () => t('send.target'),
    cell: ({ sent }) => (
      <>
        {sent.phone}
        {sent.fromPhone && (
          <span className={classes.quiet}> {t('send.from_phone', { phone: sent.fromPhone })}</span>
        )}
      </>
    ),
    width: 8.5,
    grow: 1,
    line: 1,
  },
  {
    id: 'segments',
    label: () => t('send.segments'),
    cell: ({ sent }) => sent.segments,
    width: 5,
    kind: 'number',
  },
  {
    id: 'price',
    label: () => t('send.price'),
    cell: ({ sent }) => formatExactAmount(sent.price),
    width: 5.5,
    kind: 'number',
    line: 2,
  },
  {
    id: 'status',
    label: () => t('send.status'),
    cell: (result) => <Status result={result} />,
    width: 10,
    grow: 2,
    line: 1,
  },
  {
    id: 'id',
    label: () => t('send.message_id'),
    cell: ({ sent }) => <MessageIdentifier id={sent._id} />,
    width: 8,
    max: 19,
    line: 2,
  },
];

const idOf = ({ sent }: SentRow): string => sent._id;

export const ResultTable = ({ results }: { results: SentRow[] }) => (
  <DataList
    name="results"
    label={t('send.result')}
    columns={COLUMNS}
    rows={results}
    rowId={idOf}
    empty={t('lists.none_fit')}
  />
);

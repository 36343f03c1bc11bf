import { Link } from '@tanstack/react-router';
import { formatExactAmount, formatMoment } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { StatusTag } from '../../ground/message-status/status-tag.tsx';
import type { Column } from '../../ground/ui/data-list/column.ts';
import classes from '../../ground/ui/list.module.css';
import type { BatchMessage } from './batch-queries.ts';

/** What became of each recipient of a file. */
export const RESULT_COLUMNS: Column<BatchMessage>[] = [
  {
    id: 'target',
    label: () => t('send.target'),
    cell: ({ _id, phoneCountryCode, phoneNumber, contactName }) => (
      <>
        <Link to="/dashboard/messages/details/$messageId" params={{ messageId: _id }}>
          {`${phoneCountryCode} ${phoneNumber}`.trim()}
        </Link>
        {contactName && <span className={classes.quiet}> {contactName}</span>}
      </>
    ),
    width: 10,
    grow: 1,
    line: 1,
  },
  {
    id: 'status',
    label: () => t('send.status'),
    cell: ({ status }) => <StatusTag status={status} />,
    width: 8.75,
    line: 1,
  },
  {
    id: 'reason',
    label: () => t('send.reason'),
    cell: ({ reason }) => reason,
    width: 10,
    grow: 2,
    line: 2,
  },
  {
    id: 'delivered',
    label: () => t('batches.delivered'),
    cell: ({ deliveredAt }) => deliveredAt && <time dateTime={deliveredAt}>{formatMoment(deliveredAt)}</time>,
    width: 10.25,
    choice: 'shown',
  },
  {
    id: 'segments',
    label: () => t('send.segments'),
    cell: ({ segment }) => segment,
    width: 5,
    kind: 'number',
    choice: 'shown',
  },
  {
    id: 'price',
    label: () => t('send.price'),
    cell: ({ price }) => formatExactAmount(price),
    width: 6.5,
    kind: 'number',
    choice: 'shown',
  },
  {
    id: 'message',
    label: () => t('messages.message'),
    cell: ({ message }) => message.slice(0, 300),
    width: 10,
    grow: 2,
    choice: 'hidden',
  },
];

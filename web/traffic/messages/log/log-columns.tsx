import { formatExactAmount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { StatusTag } from '../../../ground/message-status/status-tag.tsx';
import type { Column } from '../../../ground/ui/data-list/column.ts';
import classes from '../list/message-cells.module.css';
import { formatSecond } from '../search/days.ts';
import type { ListedMessage } from '../search/list-query.ts';
import type { LOG_SORTS } from './log-filters.ts';

/** The other party, which the list sorts by: the recipient, or the sender of an incoming message. */
const Party = ({ message }: { message: ListedMessage }) => {
  const incoming = message.type === 'incoming';
  const [code, number] = incoming
    ? [message.fromPhoneCountryCode, message.fromPhoneNumber]
    : [message.phoneCountryCode, message.phoneNumber];
  return (
    <>
      {code ? `${code} ${number}` : number}
      {message.contactName && <span className={classes.quiet}> {message.contactName}</span>}
      {incoming && <span className={classes.quiet}> {t('messages.inbound')}</span>}
    </>
  );
};

/** A free message shows a dash instead of a price. */
const Price = ({ message: { currency, price } }: { message: ListedMessage }) =>
  price > 0 ? (
    `${currency} ${formatExactAmount(price)}`
  ) : (
    <>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('log.no_price')}</span>
    </>
  );

type LogColumn = Column<ListedMessage> & { id: (typeof LOG_SORTS)[number] | 'message' };

export const LOG_COLUMNS: LogColumn[] = [
  {
    id: 'createdAt',
    label: () => t('log.created_at'),
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatSecond(createdAt)}</time>,
    width: 9,
    sort: 'desc',
    line: 2,
  },
  {
    id: 'phoneNumber',
    label: () => t('log.phone_number'),
    cell: (message) => <Party message={message} />,
    width: 9.5,
    grow: 1,
    sort: 'asc',
    line: 1,
  },
  {
    id: 'message',
    label: () => t('log.message'),
    cell: ({ subject, message }) => (
      <>
        {subject && <strong>{subject} </strong>}
        {message.slice(0, 300)}
      </>
    ),
    width: 10,
    grow: 4,
    line: 2,
  },
  {
    id: 'price',
    label: () => t('log.price'),
    cell: (message) => <Price message={message} />,
    width: 6.5,
    kind: 'number',
    sort: 'asc',
    line: 1,
  },
  {
    id: 'status',
    label: () => t('log.status'),
    cell: ({ status, reason }) => (
      <span title={reason ?? undefined}>
        <StatusTag status={status} />
      </span>
    ),
    width: 8.5,
    sort: 'asc',
    line: 1,
  },
  {
    id: 'test',
    label: () => t('log.test'),
    cell: ({ test }) => (test ? t('log.yes') : t('log.no')),
    width: 3.5,
    sort: 'asc',
  },
];

import { memo } from 'react';
import { formatExactAmount } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { StatusTag } from '../outbox/status-tag.tsx';
import { formatMoment } from './days.ts';
import type { ListedMessage } from './list-query.ts';
import type { LOG_SORTS } from './log-filters.ts';
import classes from './message-log.module.css';
import table from './message-table.module.css';
import { SortHead, type Sorting } from './sort-head.tsx';

interface LogTableProps {
  messages: ListedMessage[];
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

interface SortColumn {
  sort: (typeof LOG_SORTS)[number];
  label: () => string;
}

const BEFORE_MESSAGE: SortColumn[] = [
  { sort: 'createdAt', label: () => t('log.created_at') },
  { sort: 'phoneNumber', label: () => t('log.phone_number') },
];
const AFTER_MESSAGE: SortColumn[] = [
  { sort: 'price', label: () => t('log.price') },
  { sort: 'status', label: () => t('log.status') },
  { sort: 'test', label: () => t('log.test') },
];

/** The other party, which the list sorts by: the recipient, or the sender of an incoming message. */
const Party = ({ message }: { message: ListedMessage }) => {
  const incoming = message.type === 'incoming';
  const [code, number] = incoming
    ? [message.fromPhoneCountryCode, message.fromPhoneNumber]
    : [message.phoneCountryCode, message.phoneNumber];
  return (
    <>
      {code ? `${code} ${number}` : number}
      {incoming && <div className={table.quiet}>{t('messages.inbound')}</div>}
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

const Row = memo(({ message }: { message: ListedMessage }) => (
  <tr>
    <td className={classes.created}>
      <time dateTime={message.createdAt}>{formatMoment(message.createdAt)}</time>
    </td>
    <td className={classes.party}>
      <Party message={message} />
    </td>
    <td className={table.message}>
      {message.subject && <strong>{message.subject}</strong>}
      <div className={table.text}>{message.message.slice(0, 400)}</div>
    </td>
    <td className={classes.price} data-label={t('log.price')}>
      <Price message={message} />
    </td>
    <td>
      <StatusTag status={message.status} />
      {message.reason && <div className={table.reason}>{message.reason}</div>}
    </td>
    <td data-label={t('log.test')}>{message.test ? t('log.yes') : t('log.no')}</td>
  </tr>
));

/** On a narrow page each row becomes a card, and the head becomes a line of sort buttons. */
export const LogTable = memo(({ messages, sorting, onSort }: LogTableProps) => {
  const head = (column: SortColumn) => (
    <SortHead key={column.sort} {...column} sorting={sorting} onSort={onSort} />
  );
  return (
    <table className={`${table.table} ${classes.table}`}>
      <thead>
        <tr>
          {BEFORE_MESSAGE.map(head)}
          <th scope="col" className={table.unsorted}>
            {t('log.message')}
          </th>
          {AFTER_MESSAGE.map(head)}
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <Row key={message._id} message={message} />
        ))}
      </tbody>
    </table>
  );
});

import { memo } from 'react';
import type { MessageSort } from '../../contract/message-search.ts';
import { t } from '../i18n/translate.ts';
import type { ListedMessage } from './list-query.ts';
import { MessageRow, type RowHandlers } from './message-row.tsx';
import classes from './message-table.module.css';
import { SortHead, type Sorting } from './sort-head.tsx';

interface Column {
  sort: MessageSort;
  label: () => string;
  admin?: true;
}

const COLUMNS: Column[] = [
  { sort: '_id', label: () => t('messages.id') },
  { sort: 'type', label: () => t('messages.direction') },
  { sort: 'status', label: () => t('messages.status') },
  { sort: 'createdAt', label: () => t('messages.created') },
  { sort: 'updatedAt', label: () => t('messages.updated'), admin: true },
  { sort: 'channel', label: () => t('messages.channel') },
];

interface MessageTableProps extends RowHandlers {
  messages: ListedMessage[];
  admin: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

/** On a narrow page each row becomes a card, and the head becomes a line of sort buttons. */
export const MessageTable = memo(
  ({ messages, admin, sorting, onSort, onParty, onOpen }: MessageTableProps) => (
    <table className={classes.table}>
      <thead>
        <tr>
          {COLUMNS.filter((column) => admin || !column.admin).map((column) => (
            <SortHead key={column.sort} {...column} sorting={sorting} onSort={onSort} />
          ))}
          <th scope="col" className={classes.unsorted}>
            {t('messages.message')}
          </th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <MessageRow key={message._id} message={message} admin={admin} onParty={onParty} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  ),
);

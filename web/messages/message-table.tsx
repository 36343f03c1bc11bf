import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { memo } from 'react';
import type { MessageSort } from '../../contract/message-search.ts';
import { t } from '../i18n/translate.ts';
import type { ListedMessage } from './list-query.ts';
import type { MessageFilters } from './message-filters.ts';
import { MessageRow, type RowHandlers } from './message-row.tsx';
import classes from './message-table.module.css';

export type Sorting = Pick<MessageFilters, 'sort' | 'order'>;

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

/** Times begin with the latest, words with the first; a second click turns it round. */
export const nextSorting = (now: Sorting, sort: MessageSort): Sorting => {
  if (now.sort === sort) return { sort, order: now.order === 'desc' ? 'asc' : 'desc' };
  return { sort, order: sort === 'createdAt' || sort === 'updatedAt' ? 'desc' : 'asc' };
};

interface HeadProps {
  column: Column;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

const Head = ({ column: { sort, label }, sorting, onSort }: HeadProps) => {
  const sorted = sorting.sort === sort;
  const down = sorting.order === 'desc';
  const Icon = sorted ? (down ? IconArrowDown : IconArrowUp) : IconArrowsSort;
  return (
    <th scope="col" aria-sort={sorted ? (down ? 'descending' : 'ascending') : undefined}>
      <button type="button" className={classes.sort} onClick={() => onSort(nextSorting(sorting, sort))}>
        {label()}
        <Icon size={14} aria-hidden="true" data-sorted={sorted || undefined} />
      </button>
    </th>
  );
};

interface MessageTableProps extends RowHandlers {
  messages: ListedMessage[];
  admin: boolean;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

/** On a narrow page each row becomes a card, and the head a line of what to sort by. */
export const MessageTable = memo(
  ({ messages, admin, sorting, onSort, onParty, onOpen }: MessageTableProps) => (
    <table className={classes.table}>
      <thead>
        <tr>
          {COLUMNS.filter((column) => admin || !column.admin).map((column) => (
            <Head key={column.sort} column={column} sorting={sorting} onSort={onSort} />
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

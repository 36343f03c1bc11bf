import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { MessageSort } from '../../contract/message-search.ts';
import type { MessageFilters } from './message-filters.ts';
import classes from './message-table.module.css';

export type Sorting = Pick<MessageFilters, 'sort' | 'order'>;

/** Times are first sorted newest first, texts ascending; a second click reverses the order. */
export const nextSorting = (now: Sorting, sort: MessageSort): Sorting => {
  if (now.sort === sort) return { sort, order: now.order === 'desc' ? 'asc' : 'desc' };
  return { sort, order: sort === 'createdAt' || sort === 'updatedAt' ? 'desc' : 'asc' };
};

interface SortHeadProps {
  sort: MessageSort;
  label: () => string;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
}

/** The head of a sortable column. */
export const SortHead = ({ sort, label, sorting, onSort }: SortHeadProps) => {
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

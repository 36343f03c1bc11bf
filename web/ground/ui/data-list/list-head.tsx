import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { memo } from 'react';
import { t } from '../../i18n/translate.ts';
import type { Column } from './column.ts';
import classes from './data-list.module.css';

export interface Sorting<Sort extends string = string> {
  sort: Sort;
  order: 'asc' | 'desc';
}

interface ListHeadProps {
  columns: Pick<Column<never>, 'id' | 'label' | 'kind' | 'sort' | 'pinned'>[];
  sorting: Sorting | undefined;
  onSort: (id: string) => void;
  /** How many of the rows are selected; undefined if they can't be. */
  selected: 'none' | 'some' | 'all' | undefined;
  onSelectAll: (selected: boolean) => void;
}

const ICONS = { asc: IconArrowUp, desc: IconArrowDown };
const NAMES = { asc: 'ascending', desc: 'descending' } as const;

export const ListHead = memo(({ columns, sorting, onSort, selected, onSelectAll }: ListHeadProps) => (
  <thead>
    <tr>
      {selected && (
        <th scope="col" data-kind="select">
          <input
            type="checkbox"
            aria-label={t('lists.select_all')}
            checked={selected === 'all'}
            ref={(box) => {
              if (box) box.indeterminate = selected === 'some';
            }}
            onChange={({ currentTarget }) => onSelectAll(currentTarget.checked)}
          />
        </th>
      )}
      {columns.map(({ id, label, kind, sort, pinned }) => {
        const order = sorting?.sort === id ? sorting.order : undefined;
        const Icon = order ? ICONS[order] : IconArrowsSort;
        return (
          <th key={id} scope="col" data-kind={kind} data-pinned={pinned} aria-sort={order && NAMES[order]}>
            {sort ? (
              <button type="button" className={classes.sort} onClick={() => onSort(id)}>
                {label()}
                <Icon size={14} aria-hidden="true" data-sorted={order} />
              </button>
            ) : (
              label()
            )}
          </th>
        );
      })}
    </tr>
  </thead>
));

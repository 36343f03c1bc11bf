import { Button } from '@mantine/core';
import { t } from '../../i18n/translate.ts';
import type { Column } from './column.ts';
import classes from './data-list.module.css';
import type { ListQuery } from './list-query.ts';
import { SkeletonRows } from './skeleton-rows.tsx';

interface ListEndProps {
  query: ListQuery | undefined;
  columns: Pick<Column<never>, 'id' | 'line' | 'max' | 'grow'>[];
  /** How many rows are expected while they are loaded. */
  expected: number;
  /** Said if there are no rows; undefined if there are. */
  empty: string | undefined;
}

/** Below the rows: the shape of those that are loaded, that there are none, or a way to more. */
export const ListEnd = ({ query, columns, expected, empty }: ListEndProps) => (
  <>
    {query?.isPending && <SkeletonRows columns={columns} count={expected} />}
    {empty && !query?.isPending && !query?.isError && <p className={classes.empty}>{empty}</p>}
    {query?.hasNextPage && (
      <div className={classes.more}>
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage?.()}
        >
          {t('layout.load_more')}
        </Button>
      </div>
    )}
  </>
);

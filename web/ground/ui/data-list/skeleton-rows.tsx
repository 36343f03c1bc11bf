import type { Column } from './column.ts';
import classes from './data-list.module.css';

interface SkeletonRowsProps {
  columns: Pick<Column<never>, 'id' | 'line' | 'max' | 'grow'>[];
  count: number;
}

/** Rows in the shape of those that come. */
export const SkeletonRows = ({ columns, count }: SkeletonRowsProps) => (
  <div className={classes.skeleton} data-skeleton aria-hidden="true">
    {Array.from({ length: count }, (_, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike.
      <div key={place} className={classes.row}>
        {columns.map(({ id, line, max, grow }) => (
          <span key={id} data-line={line} data-grow={grow || max ? true : undefined} />
        ))}
      </div>
    ))}
  </div>
);

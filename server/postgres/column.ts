import { type RawBuilder, sql } from 'kysely';
import { arrayText } from './array-text.ts';

/**
 * Values of a column for `unnest`. If all are the same, as is common in bulk, only one is sent: writing and reading an
 * array costs more than most of what is done with it.
 */
export const column = (
  type: 'bigint' | 'boolean' | 'float8' | 'int' | 'smallint' | 'text' | 'timestamptz' | 'uuid',
  values: unknown[],
): RawBuilder<unknown> => {
  const [first] = values;
  return values.length > 1 && values.every((value) => value === first)
    ? sql`array_fill(${first ?? null}::${sql.raw(type)}, array[${values.length}::int])`
    : sql`${arrayText(values)}::${sql.raw(type)}[]`;
};

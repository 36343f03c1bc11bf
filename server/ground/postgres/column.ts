import { type RawBuilder, sql } from 'kysely';
import { arrayText } from './array-text.ts';

/**
 * Values of a column for `unnest`. If all are the same, as is common in bulk, only one is sent: writing and reading an
 * array costs more than most of what is done with it. Both are one text, because each text of a prepared statement is
 * planned by each connection.
 */
export const column = (
  type: 'bigint' | 'boolean' | 'float8' | 'int' | 'jsonb' | 'smallint' | 'text' | 'timestamptz' | 'uuid',
  values: unknown[],
): RawBuilder<unknown> => {
  const [first] = values;
  const alike = values.length > 1 && values.every((value) => value === first);
  const name = sql.raw(type);
  return sql`coalesce(${alike ? null : arrayText(values)}::${name}[],
    array_fill(${alike ? (first ?? null) : null}::${name}, array[${alike ? values.length : null}::int]))`;
};

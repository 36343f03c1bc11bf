import { sql } from 'kysely';
import type { Db } from '../../server/ground/postgres/index.ts';

interface TableSize {
  table: string;
  /** With its indexes. */
  megabytes: number;
  /** As the server's statistics count them: what was written less what was removed. */
  rows: number;
}

/** What each table takes, partitions one by one. */
export const readSizes = async (db: Db): Promise<TableSize[]> => {
  const { rows } = await sql<TableSize>`
    select relname as "table", pg_total_relation_size(relid)::float8 / 1e6 as megabytes,
      n_live_tup::float8 as rows
    from pg_stat_user_tables`.execute(db);
  return rows;
};

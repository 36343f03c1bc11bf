import { sql } from 'kysely';
import type { Db } from '../postgres/index.ts';

export interface FailedJobs {
  name: string;
  count: number;
  /** When the first of them failed. */
  since: Date;
}

/** Jobs that were given up within a day, by their name. */
export const readFailedJobs = async (db: Db): Promise<FailedJobs[]> => {
  const { rows } = await sql<FailedJobs>`
    select name, count(*)::int as count, min(completed_on) as since from pgboss.job
    where state = 'failed' and completed_on > now() - interval '1 day' group by name order by count desc, name`.execute(
    db,
  );
  return rows;
};

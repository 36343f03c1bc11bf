import type { RetentionDeps } from './carry-out.ts';
import { listLastRuns, readNow } from './store.ts';

/** Rules run once a day: two days without one mean that none runs. */
const LATE_MS = 2 * 24 * 3_600_000;

/** Whether rules don't remove what they should: they are turned off, or have not come to an end for too long. */
export const isRetentionAmiss = async ({
  db,
  mode,
}: Pick<RetentionDeps, 'db' | 'mode'>): Promise<boolean> => {
  if (mode !== 'on') return true;
  const runs = await listLastRuns(db);
  const now = await readNow(db);
  return runs.some(({ ranAt, endedAt }) => +now - +(endedAt ?? ranAt) > LATE_MS);
};

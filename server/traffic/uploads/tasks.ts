import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { removeOldUploads } from './store.ts';

/** Files that were checked and neither sent nor cancelled are kept for this long. */
const UNSENT_HOURS = 24;
/** A file that is sent again is recognised for this long. */
const SENT_DAYS = 30;

export const uploadTasks = ({ db }: { db: Db }): Tasks => ({
  'uploads.remove-old': {
    cron: '17 * * * *',
    run: () => removeOldUploads(db, { unsentHours: UNSENT_HOURS, sentDays: SENT_DAYS }),
  },
});

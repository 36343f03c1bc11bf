import type { Db } from '../postgres/index.ts';
import type { Tasks } from '../queue/index.ts';
import { removeOldUploads } from './store.ts';

/** What was checked and neither sent nor cancelled is kept for so long. */
const UNSENT_HOURS = 24;
/** For so long a file that is sent again is recognised. */
const SENT_DAYS = 30;

export const uploadTasks = ({ db }: { db: Db }): Tasks => ({
  'messages.remove-old-uploads': {
    cron: '17 * * * *',
    run: () => removeOldUploads(db, { unsentHours: UNSENT_HOURS, sentDays: SENT_DAYS }),
  },
});

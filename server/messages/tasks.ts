import type { Db } from '../postgres/index.ts';
import type { Tasks } from '../task.ts';
import { removeOldUploads } from './csv-store.ts';
import { removeOldKeys } from './key-store.ts';
import { makePartitions } from './store.ts';

/** So that nobody has to hurry should the task fail. */
const MONTHS_AHEAD = 3;
/** For so long a repeated call is recognised. */
const KEY_DAYS = 30;

/** What was checked and neither sent nor cancelled is kept for so long. */
const UNSENT_HOURS = 24;

export const messageTasks = ({ db }: { db: Db }): Tasks => ({
  'messages.make-partitions': { cron: '23 * * * *', run: () => makePartitions(db, MONTHS_AHEAD) },
  'messages.remove-old-keys': { cron: '41 3 * * *', run: () => removeOldKeys(db, KEY_DAYS) },
  'messages.remove-old-uploads': {
    cron: '17 * * * *',
    run: () => removeOldUploads(db, { unsentHours: UNSENT_HOURS, sentDays: KEY_DAYS }),
  },
});

import type { Tasks } from '../task.ts';
import { removeOldUploads } from './csv-store.ts';
import { removeOldKeys } from './key-store.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { RELEASE_DUE, releaseDue } from './release-due.ts';
import { makePartitions } from './store.ts';

/** So that nobody has to hurry should the task fail. */
const MONTHS_AHEAD = 3;
/** For so long a repeated call is recognised. */
const KEY_DAYS = 30;

/** What was checked and neither sent nor cancelled is kept for so long. */
const UNSENT_HOURS = 24;

export const messageTasks = (deps: Pick<MessagesDeps, 'db' | 'lanes' | 'wake'>): Tasks => ({
  // Asked for by each acceptance for its time; every minute too, in case that the lane to go to was missing.
  [RELEASE_DUE]: { cron: '* * * * *', run: async () => void (await releaseDue(deps)) },
  'messages.make-partitions': { cron: '23 * * * *', run: () => makePartitions(deps.db, MONTHS_AHEAD) },
  'messages.remove-old-keys': { cron: '41 3 * * *', run: () => removeOldKeys(deps.db, KEY_DAYS) },
  'messages.remove-old-uploads': {
    cron: '17 * * * *',
    run: () => removeOldUploads(deps.db, { unsentHours: UNSENT_HOURS, sentDays: KEY_DAYS }),
  },
});

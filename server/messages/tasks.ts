import type { Tasks } from '../task.ts';
import { foldCounts } from './counts-store.ts';
import { removeOldUploads } from './csv-store.ts';
import { removeOldKeys } from './key-store.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { foldDeliveries } from './outcome-store.ts';
import { RELEASE_DUE, releaseDue } from './release-due.ts';
import { makePartitions } from './store.ts';
import { copyTexts } from './texts-store.ts';

/** So that nobody has to hurry should the task fail. */
const MONTHS_AHEAD = 3;
/** For so long a repeated call is recognised. */
const KEY_DAYS = 30;

/** What was checked and neither sent nor cancelled is kept for so long. */
const UNSENT_HOURS = 24;

/** As much as one transaction copies. */
const TEXTS_SPAN_MINUTES = 60;
/** Most that changes is young; what changes later is folded at night. */
const RECENT_HOURS = 3;
const OLD_HOURS = 70 * 24;

export const messageTasks = (deps: Pick<MessagesDeps, 'db' | 'lanes' | 'wake'>): Tasks => ({
  // Asked for by each acceptance for its time; every minute too, in case that the lane to go to was missing.
  [RELEASE_DUE]: { cron: '* * * * *', run: async () => void (await releaseDue(deps)) },
  'messages.make-partitions': { cron: '23 * * * *', run: () => makePartitions(deps.db, MONTHS_AHEAD) },
  'messages.copy-texts': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: async (_, signal) => {
      while (!signal.aborted && (await copyTexts(deps.db, TEXTS_SPAN_MINUTES)));
    },
  },
  'messages.fold-counts': { cron: '* * * * *', retryLimit: 0, run: () => foldCounts(deps.db, RECENT_HOURS) },
  'messages.fold-old-counts': { cron: '11 4 * * *', run: () => foldCounts(deps.db, OLD_HOURS) },
  'messages.fold-deliveries': {
    cron: '* * * * *',
    retryLimit: 0,
    run: () => foldDeliveries(deps.db, RECENT_HOURS),
  },
  'messages.fold-old-deliveries': { cron: '19 4 * * *', run: () => foldDeliveries(deps.db, OLD_HOURS) },
  'messages.remove-old-keys': { cron: '41 3 * * *', run: () => removeOldKeys(deps.db, KEY_DAYS) },
  'messages.remove-old-uploads': {
    cron: '17 * * * *',
    run: () => removeOldUploads(deps.db, { unsentHours: UNSENT_HOURS, sentDays: KEY_DAYS }),
  },
});

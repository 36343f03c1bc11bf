import type { Db } from '../postgres/index.ts';
import type { Tasks } from '../queue/index.ts';
import { removeOldKeys } from './key-store.ts';

/** A repeated call is recognised for this long. */
const KEY_DAYS = 30;

export const sendingTasks = ({ db }: { db: Db }): Tasks => ({
  'messages.remove-old-keys': { cron: '41 3 * * *', run: () => removeOldKeys(db, KEY_DAYS) },
});

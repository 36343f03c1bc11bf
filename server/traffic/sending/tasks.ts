import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { removeOldKeys } from './accepting/key-store.ts';

/** A repeated call is recognised for this long. */
const KEY_DAYS = 30;

export const sendingTasks = ({ db }: { db: Db }): Tasks => ({
  'sending.remove-old-keys': { cron: '41 3 * * *', run: () => removeOldKeys(db, KEY_DAYS) },
});

import type { Db } from '../postgres/index.ts';
import type { Tasks } from '../queue/index.ts';
import { emptyNextSlot } from './store.ts';

export const integrationTasks = ({ db }: { db: Db }): Tasks => ({
  'integration.remove-old-calls': { cron: '7 * * * *', run: () => emptyNextSlot(db) },
});

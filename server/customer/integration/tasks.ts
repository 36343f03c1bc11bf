import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { emptyNextSlot } from './store.ts';

export const integrationTasks = ({ db }: { db: Db }): Tasks => ({
  'integration.remove-old-calls': { cron: '7 * * * *', run: () => emptyNextSlot(db) },
});

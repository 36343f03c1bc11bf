import type { Tasks } from '../task.ts';
import type { DeliveryDeps } from './lane.ts';
import { reconcile } from './reconcile.ts';

export const deliveryTasks = ({ db, log }: Pick<DeliveryDeps, 'db' | 'log'>): Tasks => ({
  'delivery.reconcile': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: async () => {
      const { adopted, unknown } = await reconcile(db);
      if (adopted > 0) log.info({ adopted }, 'receipts told what became of messages');
      if (unknown > 0) log.warn({ unknown }, 'nobody told what became of messages: an admin is to look');
    },
  },
});

import type { Tasks } from '../task.ts';
import { cancelOptedOut } from './cancel-opted-out.ts';
import type { DeliveryDeps } from './lane.ts';
import { reconcile } from './reconcile.ts';

export const deliveryTasks = ({ db, log }: Pick<DeliveryDeps, 'db' | 'log'>): Tasks => ({
  /** Asked for by whoever opts a recipient out. */
  'delivery.cancel-opted-out': {
    run: async (data) => {
      const cancelled = await cancelOptedOut(db, data);
      if (cancelled > 0) log.info({ cancelled }, 'messages to opted-out recipients were cancelled');
    },
  },
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

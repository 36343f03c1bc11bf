import { z } from 'zod';
import { batchId } from '../../contract/messages.ts';
import type { Tasks } from '../task.ts';
import type { Tell } from '../tell.ts';
import { cancelAccount } from './cancel-account.ts';
import { cancelOptedOut } from './cancel-opted-out.ts';
import { removeOldInboundIds } from './inbound-store.ts';
import type { DeliveryDeps } from './lane.ts';
import { reconcile } from './reconcile.ts';
import { removeOldSessions } from './session-store.ts';
import { CANCEL_BATCH, cancelExpired, cancelRest } from './withdraw.ts';

const cancelRequest = z.object({ batchId });

export const deliveryTasks = ({
  db,
  log,
  tell,
}: Pick<DeliveryDeps, 'db' | 'log'> & { tell?: Tell }): Tasks => ({
  /** Asked for by whoever opts a recipient out. */
  'delivery.cancel-opted-out': {
    run: async (data) => {
      const cancelled = await cancelOptedOut(db, data);
      if (cancelled > 0) log.info({ cancelled }, 'messages to opted-out recipients were cancelled');
    },
  },
  /** Asked for by whoever closes an account. */
  'delivery.cancel-account': {
    run: async (data, signal) => {
      const cancelled = await cancelAccount(db, data, signal);
      if (cancelled > 0) log.info({ cancelled }, 'messages of a closed account were cancelled');
    },
  },
  [CANCEL_BATCH]: {
    run: (data, signal) => cancelRest(db, cancelRequest.parse(data).batchId, signal),
  },
  'delivery.cancel-expired': {
    cron: '* * * * *',
    retryLimit: 0,
    run: async () => {
      const expired = await cancelExpired(db);
      if (expired > 0) log.warn({ expired }, 'scheduled messages could not go out in time');
    },
  },
  'delivery.reconcile': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: async () => {
      const { adopted, unknown } = await reconcile(db, { ...(tell && { tell }) });
      if (adopted > 0) log.info({ adopted }, 'receipts told what became of messages');
      if (unknown > 0) log.warn({ unknown }, 'nobody told what became of messages: an admin is to look');
    },
  },
  'delivery.remove-old': {
    cron: '31 * * * *',
    run: async () => {
      await removeOldInboundIds(db);
      await removeOldSessions(db);
    },
  },
});

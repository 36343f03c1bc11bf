import { accountTasks } from '../customer/accounts/index.ts';
import { integrationTasks } from '../customer/integration/index.ts';
import { senderTasks } from '../customer/senders/index.ts';
import { walletTasks } from '../customer/wallet/index.ts';
import { deviceTasks } from '../fleet/devices/index.ts';
import { phoneTasks } from '../fleet/phones/index.ts';
import type { Tasks } from '../ground/queue/index.ts';
import { bulkActionTasks } from '../office/bulk-actions/index.ts';
import { retentionTasks } from '../office/retention/index.ts';
import { batchTasks } from '../traffic/batches/index.ts';
import { mediaTasks } from '../traffic/media/index.ts';
import { messageTasks } from '../traffic/messages/index.ts';
import { outboxTasks, paidBatches, releaseTasks } from '../traffic/outbox/index.ts';
import { sendingTasks } from '../traffic/sending/index.ts';
import { uploadTasks } from '../traffic/uploads/index.ts';
import { webhookTasks } from '../traffic/webhooks/index.ts';
import type { Deps } from './deps.ts';
import type { Ground } from './ground.ts';

/** The background work of every room. Any process may ask for it; workers do it. */
export const tasksOf = (rooms: Ground & Deps, publicUrl: string): Tasks => {
  const { db, queue, log, mailer, limits, publish } = rooms;
  const mails = { mailer, publicUrl: () => publicUrl, log };
  return {
    ...accountTasks({ db, ...mails }),
    ...walletTasks({ ...rooms.wallet, ...mails, paid: paidBatches }),
    ...sendingTasks({ db }),
    ...uploadTasks({ db }),
    ...batchTasks({ db }),
    ...messageTasks({ db }),
    ...bulkActionTasks({ db, queue, publish }),
    ...releaseTasks(rooms.sending),
    ...outboxTasks({ db, log, publisher: rooms }),
    ...integrationTasks({ db }),
    ...webhookTasks({ ...rooms.webhooks, ...mails }),
    ...senderTasks({ ...rooms.senders, ...mails }),
    ...retentionTasks(rooms.retention),
    ...mediaTasks(rooms.media),
    ...phoneTasks({ db }),
    ...deviceTasks(rooms.devices),
    'limits.remove-expired': { cron: '*/10 * * * *', run: limits.removeExpired },
  };
};

import { accountTasks } from '../accounts/index.ts';
import { batchTasks } from '../batches/index.ts';
import { bulkActionTasks } from '../bulk-actions/index.ts';
import { deviceTasks } from '../devices/index.ts';
import { integrationTasks } from '../integration/index.ts';
import { mediaTasks } from '../media/index.ts';
import { messageTasks } from '../messages/index.ts';
import { outboxTasks, paidBatches, releaseTasks } from '../outbox/index.ts';
import { phoneTasks } from '../phones/index.ts';
import type { Tasks } from '../queue/index.ts';
import { retentionTasks } from '../retention/index.ts';
import { senderTasks } from '../senders/index.ts';
import { sendingTasks } from '../sending/index.ts';
import { uploadTasks } from '../uploads/index.ts';
import { walletTasks } from '../wallet/index.ts';
import { webhookTasks } from '../webhooks/index.ts';
import type { Deps } from './deps.ts';
import type { Ground } from './ground.ts';

/** The background work of every room. Any process may ask for it; workers do it. */
export const tasksOf = (rooms: Ground & Deps, publicUrl: string): Tasks => {
  const { db, log, mailer, limits } = rooms;
  const mails = { mailer, publicUrl: () => publicUrl, log };
  return {
    ...accountTasks({ db, ...mails }),
    ...walletTasks({ ...rooms.wallet, ...mails, paid: paidBatches }),
    ...sendingTasks({ db }),
    ...uploadTasks({ db }),
    ...batchTasks({ db }),
    ...messageTasks({ db }),
    ...bulkActionTasks(rooms.messages),
    ...releaseTasks(rooms.messages),
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

import type { Tasks } from '../../ground/queue/index.ts';
import { webhookMails, writeMail } from './endpoints/webhook-mails.ts';
import { parkOverdue, removeOldEvents } from './events/event-store.ts';
import { REPLAY, replayRequest, runReplay } from './events/replay.ts';
import { GIVE_UP_HOURS } from './serving/retry-policy.ts';
import type { WebhookTaskDeps } from './webhooks-deps.ts';

/** Events are listed and can be replayed for this long. */
const KEPT_DAYS = 30;
/** Processes that serve endpoints park events themselves; this is for events that nobody could try. */
const OVERDUE_HOURS = GIVE_UP_HOURS + 1;

export const webhookTasks = (deps: WebhookTaskDeps): Tasks => ({
  ...webhookMails.tasks(deps, (request) => writeMail(deps, request)),
  [REPLAY]: { run: (data, signal) => runReplay(deps.db, replayRequest.parse(data), signal) },
  'webhooks.park-overdue': { cron: '29 * * * *', run: () => parkOverdue(deps.db, OVERDUE_HOURS) },
  'webhooks.remove-old': { cron: '53 * * * *', run: () => removeOldEvents(deps.db, KEPT_DAYS) },
});

import type { Tasks } from '../../ground/queue/index.ts';
import { mailRequest, SEND_MAIL } from './endpoints/mail-request.ts';
import { sendMail, type WebhookTaskDeps } from './endpoints/send-mail.ts';
import { parkOverdue, removeOldEvents } from './events/event-store.ts';
import { REPLAY, replayRequest, runReplay } from './events/replay.ts';
import { GIVE_UP_HOURS } from './serving/retry-policy.ts';

/** Events are listed and can be replayed for this long. */
const KEPT_DAYS = 30;
/** Processes that serve endpoints park events themselves; this is for events that nobody could try. */
const OVERDUE_HOURS = GIVE_UP_HOURS + 1;

export const webhookTasks = (deps: WebhookTaskDeps): Tasks => ({
  [SEND_MAIL]: {
    run: (data) => sendMail(deps, mailRequest.parse(data)),
    onGiveUp: async (data) => {
      const { kind, mailId } = mailRequest.parse(data);
      deps.log.warn({ kind, mailId }, 'mail given up');
    },
  },
  [REPLAY]: { run: (data, signal) => runReplay(deps.db, replayRequest.parse(data), signal) },
  'webhooks.park-overdue': { cron: '29 * * * *', run: () => parkOverdue(deps.db, OVERDUE_HOURS) },
  'webhooks.remove-old': { cron: '53 * * * *', run: () => removeOldEvents(deps.db, KEPT_DAYS) },
});

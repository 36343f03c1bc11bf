import type { WebhookEvent } from '../../../contract/traffic/webhooks.ts';
import type { EventRow } from './events/event-store.ts';

export const eventView = (row: EventRow): WebhookEvent => ({
  _id: row.id,
  type: row.type,
  messageId: row.messageId,
  state: row.state,
  attempts: row.attempts,
  createdAt: row.createdAt.toISOString(),
  attemptedAt: row.attemptedAt?.toISOString() ?? null,
  nextAt: row.nextAt?.toISOString() ?? null,
  answer:
    row.answerMs === null
      ? null
      : {
          status: row.answerStatus,
          fault: row.answerFault,
          body: row.answerBody,
          milliseconds: row.answerMs,
        },
});

import type { AccountId } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import type { WebhookEvent } from '../../contract/webhooks.ts';
import type { Db } from '../postgres/index.ts';
import { listEventsOf } from './event-store.ts';
import { eventView } from './views.ts';

const MOST = 50;

/** The events of a message with their outcomes, oldest first. */
export const eventsOf = async (
  db: Db,
  of: { accountId: AccountId; messageId: MessageId },
): Promise<WebhookEvent[]> => (await listEventsOf(db, of, MOST)).map(eventView);

import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { WebhookEvent } from '../../../../contract/traffic/webhooks.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { eventView } from '../views.ts';
import { readMessageEvents } from './event-store.ts';

const MOST = 50;

/** The events of a message with their outcomes, oldest first. */
export const listMessageEvents = async (
  db: Db,
  of: { accountId: AccountId; messageId: MessageId },
): Promise<WebhookEvent[]> => (await readMessageEvents(db, of, MOST)).map(eventView);

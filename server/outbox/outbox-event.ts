import type { AccountId } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import type { MessageEvent } from '../../contract/webhooks.ts';
import type { Db } from '../postgres/index.ts';

/** Something that happened to a message. */
export interface OutboxEvent {
  event: MessageEvent;
  id: MessageId;
  accountId: AccountId;
  /** As PostgreSQL writes it, half of the message's key; if missing: the time of the transaction. */
  createdAt?: string | undefined;
}

/**
 * Publishes events in the transaction that makes them true, one call a flush. The rooms that change messages are
 * handed this function at the start, so that they know nothing of who subscribes.
 */
export type PublishEvents = (trx: Db, events: OutboxEvent[]) => Promise<void>;

export const publishNothing: PublishEvents = async () => {};

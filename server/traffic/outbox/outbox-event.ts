import type { RawBuilder } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { MessageEvent } from '../../../contract/traffic/webhooks.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** Something that happened to a message. */
export interface OutboxEvent {
  event: MessageEvent;
  id: MessageId;
  accountId: AccountId;
  /** As PostgreSQL writes it, half of the message's key; if missing: the time of the transaction. */
  createdAt?: string | undefined;
  /** Of a message that failed: nobody knows its outcome, and another event may follow. */
  unknown?: boolean | undefined;
}

/**
 * Publishes events in the transaction that makes them true, one call a flush. The rooms that change messages are
 * handed this function at the start, so that they know nothing of who subscribes.
 */
export type PublishEvents = (trx: Db, events: OutboxEvent[]) => Promise<void>;

export const publishNothing: PublishEvents = async () => {};

/**
 * The same as a part of the statement that changes the messages, an INSERT for `with published as (…)`: `rows` is a relation with account_id, id and created_at of each
 * message and kind, the event, or 'unknown' for a failure with unknown outcome. Rows of others than subscribers cost a
 * look into a small table.
 */
export type PublishingRows = (rows: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Who is to learn of what happens to messages, for the rooms where it happens. */
export interface Publisher {
  publish: PublishEvents;
  publishingRows: PublishingRows;
  /** Whether any of these accounts may be a subscriber. */
  hasSubscriber: (accountIds: AccountId[]) => boolean;
}

import { type RawBuilder, sql } from 'kysely';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Publisher, publishNothing } from './outbox-event.ts';

/** For the wallet's proof: which entry paid for what. */
export const paidBatches = sql`select account_id, capture_id from batches`;

/**
 * For another room's statement about messages: joins them, as `m`, to its list `given (id, created_at)`. Without a
 * `created_at` the message is one of this transaction.
 */
export const joinGivenMessages = sql`
  join messages m on m.id = given.id and m.created_at = coalesce(given.created_at, now())`;

/** For another room's statement: when a message was created, the other half of its key. */
export const createdAtOf = (id: MessageId): RawBuilder<unknown> =>
  sql`(select created_at from messages where id = ${id})`;

/** For another room's statement: whether a message has no end yet, neither by its carrier nor by an admin. */
export const isPending = (id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select from messages m where m.id = ${id} and m.status = 'PENDING')`;

/** A publisher that records no events. */
export const noSubscribers: Publisher = {
  publish: publishNothing,
  publishingRows: () => sql`select`,
  hasSubscriber: () => false,
};

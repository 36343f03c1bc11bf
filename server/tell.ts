import type { AccountId } from '../contract/accounts.ts';
import type { MessageId } from '../contract/messages.ts';
import type { MessageEvent } from '../contract/webhooks.ts';
import type { Db } from './postgres/index.ts';

/** Something that happened to a message. */
export interface Happening {
  event: MessageEvent;
  id: MessageId;
  accountId: AccountId;
  /** As PostgreSQL writes it, half of the message's key; if missing: the time of the transaction. */
  createdAt?: string | undefined;
}

/**
 * Publishes events in the transaction that causes them: one call per flush. The rooms that change messages get the
 * function passed in, so that they don't know the subscribers.
 */
export type Tell = (trx: Db, happenings: Happening[]) => Promise<void>;

export const tellNobody: Tell = async () => {};

import type { AccountId } from '../contract/accounts.ts';
import type { MessageId } from '../contract/messages.ts';
import type { MessageEvent } from '../contract/webhooks.ts';
import type { Db } from './postgres/index.ts';

/** Something that happened to a message. */
export interface Happening {
  event: MessageEvent;
  id: MessageId;
  accountId: AccountId;
  /** As PostgreSQL writes it, half of the message's key; without one: the moment of the transaction. */
  createdAt?: string | undefined;
}

/**
 * Tells whoever wants to know, in the transaction that makes it so: one call a flush. The rooms that change
 * messages are handed one by main.ts, so that they know nothing of who listens.
 */
export type Tell = (trx: Db, happenings: Happening[]) => Promise<void>;

export const tellNobody: Tell = async () => {};

import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import type { Inbound } from '../lanes/index.ts';
import type { Db } from '../postgres/index.ts';
import type { PublishEvents } from './outbox-event.ts';

/** An incoming message that was kept for the account it belongs to. */
export interface StoredInbound extends Inbound {
  accountId: AccountId;
  channel: Channel;
}

export interface OutboxDeps {
  db: Db;
  log: {
    info: (facts: object, text: string) => void;
    warn: (facts: object, text: string) => void;
    error: (facts: object, text: string) => void;
  };
  /** Tells of what became of messages. */
  publish: PublishEvents;
  /** Whether any of these may want to be told. */
  hasSubscriber: (accountIds: AccountId[]) => boolean;
  /** Told once for all that a write keeps, in its transaction: what it changes is kept if and only if they are. */
  onInbound?: ((trx: Db, inbounds: StoredInbound[]) => Promise<void>) | undefined;
}

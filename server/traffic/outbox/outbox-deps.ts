import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Inbound } from '../lanes/index.ts';
import type { Publisher } from './outbox-event.ts';

/** An incoming message that was stored. */
export interface ReceivedInbound extends Inbound {
  /** Undefined if it belongs to nobody. */
  accountId: AccountId | undefined;
  laneId: number;
  channel: Channel;
  /** Whether a simulator made it up. */
  simulated: boolean;
}

export interface OutboxDeps {
  db: Db;
  log: {
    info: (facts: object, text: string) => void;
    warn: (facts: object, text: string) => void;
    error: (facts: object, text: string) => void;
  };
  publisher: Publisher;
  /**
   * Called once for all incoming messages of a write, in its transaction: its changes are stored if and only if they
   * are.
   */
  onInbound?: ((trx: Db, inbounds: ReceivedInbound[]) => Promise<void>) | undefined;
}

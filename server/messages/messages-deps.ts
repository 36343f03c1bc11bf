import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import type { PriceList } from '../prices/index.ts';
import type { Queue } from '../queue/index.ts';
import type { Lane } from './lane-store.ts';

/**
 * The places of those among them who no longer want messages of that account by that channel. Asked when messages
 * are checked, and again when they are accepted.
 */
export type FindOptedOut = (
  db: Db,
  addressees: { accountId: AccountId; channel: Channel; recipient: string }[],
) => Promise<ReadonlySet<number>>;

export interface MessagesDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  prices: PriceList;
  /** The lanes in use, kept for a moment. */
  lanes: () => Promise<Lane[]>;
  /** Tells those who serve these lanes, when the transaction commits, that something waits. */
  wake: (trx: Db, laneIds: number[]) => Promise<void>;
  findOptedOut: FindOptedOut;
}

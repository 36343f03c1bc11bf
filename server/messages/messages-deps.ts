import type { Db } from '../postgres/index.ts';
import type { PriceList } from '../prices/index.ts';
import type { Queue } from '../queue/index.ts';
import type { Tell } from '../tell.ts';
import type { Lane } from './lane-store.ts';

export interface MessagesDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  prices: PriceList;
  /** The lanes in use, kept for a moment. */
  lanes: () => Promise<Lane[]>;
  /** Tells those who serve these lanes, when the transaction commits, that something waits. */
  wake: (trx: Db, laneIds: number[]) => Promise<void>;
  /** Tells of what was accepted. */
  tell: Tell;
}

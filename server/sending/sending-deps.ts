import type { RawBuilder } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import type { LaneInUse } from '../lanes/index.ts';
import type { PublishEvents } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import type { PriceList } from '../prices/index.ts';
import type { Queue } from '../queue/index.ts';

/** Who no longer wants messages: asked when messages are checked, and again when they are accepted. */
export interface OptOuts {
  /** The places of those among them who have opted out of that account by that channel. */
  find: (
    db: Db,
    addressees: { accountId: AccountId; channel: Channel; recipient: string }[],
  ) => Promise<ReadonlySet<number>>;
  /** A query for those accounts from whom anybody has opted out: it rides along with a statement made anyway. */
  having: (accountIds: AccountId[]) => RawBuilder<{ id: AccountId }>;
}

export interface SendingDeps {
  db: Db;
  queue: Pick<Queue, 'send'>;
  prices: PriceList;
  /** The lanes in use, kept for a moment. */
  lanes: () => Promise<LaneInUse[]>;
  /** Tells those who serve these lanes, when the transaction commits, that something waits. */
  wake: (trx: Db, laneIds: number[], options?: { singles: boolean }) => Promise<void>;
  /** Tells of what was accepted. */
  publish: PublishEvents;
  /** Whether anybody may listen to what happens to messages of these accounts. */
  hasSubscriber: (accountIds: AccountId[]) => boolean;
  optOuts: OptOuts;
  /** Accounts that are known to have opt-outs: what they send is asked about before it is paid for. */
  havingOptOuts: Set<AccountId>;
}

import type { RawBuilder } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { PriceList } from '../../customer/prices/index.ts';
import type { OwnSenders } from '../../customer/senders/index.ts';
import type { SpendingRules } from '../../customer/wallet/index.ts';
import type { Limits } from '../../ground/limits/index.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Queue } from '../../ground/queue/index.ts';
import type { CarrierOf } from '../carriers/index.ts';
import type { Publisher } from '../outbox/index.ts';
import type { Routing } from '../routing/index.ts';
import type { OwnDevices } from './own-devices.ts';

/** Opt-outs: queried when messages are checked, and again when they are accepted. */
interface OptOuts {
  /** The indexes of those who have opted out of that account by that channel. */
  find: (
    db: Db,
    addressees: { accountId: AccountId; channel: Channel; recipient: string }[],
  ) => Promise<ReadonlySet<number>>;
  /** A query for the accounts that have opt-outs: it becomes part of another statement. */
  having: (accountIds: AccountId[]) => RawBuilder<{ id: AccountId }>;
}

export interface SendingDeps extends Publisher {
  db: Db;
  queue: Pick<Queue, 'send'>;
  limits: Pick<Limits, 'consume'>;
  prices: PriceList;
  /** Chooses lanes, by facts that are a moment old. */
  routing: Routing;
  /** Whom an account may send as. */
  senders: OwnSenders;
  /** Which of these are devices of the account. */
  devices: OwnDevices;
  /** Whose network a number is in, by a table that is a moment old. */
  carriers: () => Promise<CarrierOf>;
  /** Sends a wake signal to the workers of these lanes, when the transaction commits. */
  wake: (trx: Db, laneIds: number[], options?: { singles: boolean }) => Promise<void>;
  optOuts: OptOuts;
  /** Accounts that are known to have opt-outs: their messages are checked before they are paid for. */
  havingOptOuts: Set<AccountId>;
  rules: SendingRules;
  /** Countries that accounts are known to have written to, as `account country`: these are not new. */
  knownCountries: Set<string>;
}

/** What the operator asks of accounts that send for real. */
export interface SendingRules extends SpendingRules {
  /** How many countries an account may write to for the first time in a day, if it has no limit of its own. */
  newCountries: number;
}

import type { AccountId } from '../../contract/accounts.ts';
import type { Channel } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import type { Tell } from '../tell.ts';
import type { Carrier, Inbound } from './carrier.ts';
import { type LaneSettings, syncLanes } from './lane-store.ts';
import type { Timing } from './timing.ts';

/** A lane as main.ts makes it from the settings: its carrier is opened by whoever serves it. */
export interface LaneDefinition extends LaneSettings {
  carrier: () => Carrier;
}

export interface Lane extends LaneDefinition {
  id: number;
}

/** An incoming message that was kept for the account it belongs to. */
export interface StoredInbound extends Inbound {
  accountId: AccountId;
  channel: Channel;
}

export interface DeliveryDeps {
  db: Db;
  log: {
    info: (facts: object, text: string) => void;
    warn: (facts: object, text: string) => void;
    error: (facts: object, text: string) => void;
  };
  timing: Timing;
  /** Tells of what became of messages. */
  tell: Tell;
  /** Whether any of these may want to be told. */
  isTold: (accountIds: AccountId[]) => boolean;
  /** Told once for all that a write keeps, in its transaction: what it changes is kept if and only if they are. */
  onInbound?: ((trx: Db, inbounds: StoredInbound[]) => Promise<void>) | undefined;
}

/** Writes the lanes of the settings down, so that messages can refer to them. */
export const openLanes = async (db: Db, definitions: LaneDefinition[]): Promise<Lane[]> => {
  const ids = await syncLanes(db, definitions);
  return definitions.map((definition) => {
    const id = ids.get(definition.name);
    if (id === undefined) throw new Error(`the lane ${definition.name} was not written`);
    return { ...definition, id };
  });
};

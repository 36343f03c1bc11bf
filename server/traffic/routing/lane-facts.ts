import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import {
  type LaneInUse,
  type LastLane,
  NOTHING_SENT,
  type SentCounts,
  type ThrottleLimits,
  throttleLimits,
} from '../lanes/index.ts';

/** A message as far as the choice of its lane goes. */
export interface RoutedMessage {
  accountId: AccountId;
  channel: Channel;
  /** Two letters; '' if it has none. */
  country: string;
  /** For a simulator, and no other: decided when it is accepted, for good. */
  test: boolean;
  /** The device that it names: only that one sends it. */
  device?: string | null | undefined;
  /** What it is to be from, if it names something. */
  from?: string | null | undefined;
  /** Lanes that had it before and must not have it again. */
  tried?: readonly number[] | undefined;
  /** The phone that last wrote to the recipient. */
  last?: LastLane | undefined;
  /** The recipient's network; '' or nothing if it is not known. */
  carrier?: string | undefined;
}

/** All that is known of a lane when a message is routed. */
export interface LaneFacts extends LaneInUse {
  limits: ThrottleLimits;
  sent: SentCounts;
  /** Messages that wait in it, and will count against its windows. */
  waiting: number;
  /** Its share among its equals. */
  weight: number;
  /** Of a phone with such a limit: how many people it wrote to within 24 hours. */
  recipients: number;
}

/** What a throttled lane has sent and still has to send. */
export type LaneLoad = Pick<LaneFacts, 'sent' | 'waiting'> & Partial<Pick<LaneFacts, 'recipients'>>;

/** Loads by lane id. */
export const laneFacts = (
  lanes: LaneInUse[],
  loads: ReadonlyMap<number, LaneLoad> = new Map(),
): LaneFacts[] =>
  lanes.map((lane) => {
    const { sent = NOTHING_SENT, waiting = 0, recipients = 0 } = loads.get(lane.id) ?? {};
    return { ...lane, limits: throttleLimits(lane), sent, waiting, recipients, weight: 1 };
  });

/** What the operator pays for a segment, a WhatsApp message or an email. */
export const unitCost = ({ costMicros, countryCosts }: LaneFacts, country: string): bigint => {
  const own = countryCosts[country];
  return own === undefined ? costMicros : BigInt(own);
};

import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** All accounts together. */
const EVERYONE = '00000000-0000-0000-0000-000000000000';

/** The dimensions that the counters have. */
export interface Countable {
  /** Everyone's if not given. */
  accountId?: AccountId | undefined;
  /** The first moment of it, and the first after it. */
  from: Date;
  to: Date;
  status?: MessageStatus | undefined;
  channel?: Channel | undefined;
  type?: 'incoming' | 'outgoing' | undefined;
  /** The other party's is one of these: two letters each. */
  countries?: string[] | undefined;
  /** Of everyone's only. */
  laneIds?: number[] | undefined;
  /** The other party's network is one of these; of everyone's only. */
  carriers?: string[] | undefined;
}

interface HourCount {
  hour: Date;
  count: number;
}

/** Whole hours only, the latest first; hours without any are left out. */
export const countByHour = async (
  db: Db,
  { accountId, from, to, status, channel, type, countries, laneIds, carriers }: Countable,
): Promise<HourCount[]> => {
  const counters =
    laneIds || carriers
      ? sql`lane_counts where true`
      : sql`message_counts where account_id = ${accountId ?? EVERYONE}`;
  const { rows } = await sql<HourCount>`
    select hour, sum(messages)::int as count from ${counters} and hour >= ${from} and hour < ${to}
      ${laneIds ? sql`and lane_id = any(${laneIds}::int[])` : sql``}
      ${carriers ? sql`and carrier = any(${carriers}::text[])` : sql``}
      ${countries ? sql`and country = any(${countries}::text[])` : sql``}
      ${status ? sql`and status = ${status}` : sql``} ${channel ? sql`and channel = ${channel}` : sql``}
      ${type ? sql`and type = ${type}` : sql``}
    group by hour having sum(messages) <> 0 order by hour desc`.execute(db);
  return rows;
};

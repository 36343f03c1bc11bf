import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { ROUTE_POLICY } from './route-store.ts';

interface LanesTable {
  id: number;
  channel: Channel;
  carrier: string;
  simulated: boolean;
  mode: LaneMode;
  preference: number;
  up: boolean | null;
  rejecting_since: Date | null;
  session_hours: number | null;
  route: string;
  provider: string;
  sender: string;
  name: string;
  countries: string[];
  dedicated_to: AccountId[];
  throttle_ten_minutes: number | null;
  throttle_one_hour: number | null;
  throttle_eight_hours: number | null;
  throttle_one_day: number | null;
  cost_micros: bigint;
  /** In micro-dollars, as decimal digits. */
  country_costs: Record<string, string>;
}
type Tables = { lanes: LanesTable };

/** What routing has to know of a phone. */
export interface LanePhone {
  id: string;
  name: string;
  /** Messages a day that suit it; 0: any number. */
  idealVolume: number;
  transferJobRate: number;
  /** In milliseconds. */
  startedMs: number | null;
  /** Hours of the day between which it serves everybody. */
  sharedFrom: number | null;
  sharedTo: number | null;
  /** How many people it may write to in 24 hours. */
  mostRecipients: number | null;
  aliases: string[];
}

/** Of a way out of a phone. */
const PHONE = sql<LanePhone | null>`case when phone_id is not null then json_build_object('id', phone_id,
  'name', phone_name, 'idealVolume', ideal_volume, 'transferJobRate', transfer_rate,
  'startedMs', extract(epoch from started_at) * 1000, 'sharedFrom', shared_from, 'sharedTo', shared_to,
  'mostRecipients', most_recipients, 'aliases', aliases) end`;

/** Its id, if it is a device. */
const DEVICE = sql<string | null>`case when source = 'device' then name end`;

/** What the operator wants of a lane. 'draining': it sends what waits and gets nothing new. */
export type LaneMode = 'on' | 'paused' | 'draining' | 'removed';

/** The lanes that are not removed, the preferred first. */
export const readLanes = (db: Db) =>
  db
    .withTables<Tables>()
    .selectFrom('lanes')
    .select([
      'id',
      'name',
      'channel',
      'provider',
      'sender',
      'carrier',
      'simulated',
      'mode',
      'preference',
      'route',
      'up',
      'rejecting_since as rejectingSince',
      'session_hours as sessionHours',
      'countries',
      'dedicated_to as dedicatedTo',
      'throttle_ten_minutes as throttleTenMinutes',
      'throttle_one_hour as throttleOneHour',
      'throttle_eight_hours as throttleEightHours',
      'throttle_one_day as throttleOneDay',
      'cost_micros as costMicros',
      'country_costs as countryCosts',
      ROUTE_POLICY.as('policy'),
      PHONE.as('phone'),
      DEVICE.as('device'),
    ])
    .where('mode', '<>', 'removed')
    .orderBy('preference')
    .orderBy('id')
    .execute();

const MOST_LISTED = 10_000;

/** Active or not: its messages can still be found. Those of devices are found by their account. */
export const listLanes = async (db: Db) => {
  const { rows } = await sql<{
    name: string;
    phoneName: string;
    channel: Channel;
    provider: string;
    route: string;
    carrierName: string;
  }>`
    select name, phone_name as "phoneName", channel, provider, route, carrier as "carrierName" from lanes
    where source <> 'device' order by name limit ${MOST_LISTED}`.execute(db);
  return rows;
};

/** By the filters of an admin; a filter that is not set matches all. */
export const findLaneIds = async (
  db: Db,
  filter: {
    /** Or the name of the route that the lane is in. */
    provider: string | undefined;
    /** Its id or its name. */
    phone: string | undefined;
    method: string | undefined;
  },
): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from lanes
    where (${filter.provider ?? ''} in ('', provider, nullif(route, '')))
      and (${filter.phone ?? ''} in ('', phone_id::text, nullif(phone_name, '')))
      and (${filter.method ?? ''} in ('', method))`.execute(db);
  return rows.map(({ id }) => id);
};

/** A lane for the choice when sending. */
export type LaneInUse = Awaited<ReturnType<typeof readLanes>>[number];

export const findLane = async (
  db: Db,
  name: string,
): Promise<{ id: number; name: string; channel: Channel } | undefined> => {
  const { rows } = await sql<{ id: number; name: string; channel: Channel }>`
    select id, name, channel from lanes where name = ${name}`.execute(db);
  return rows[0];
};

/** What the operator set as the sender of lanes that an account may use. A phone's number is only theirs it is lent to. */
export const readLaneSenders = async (
  db: Db,
  { accountId, channel }: { accountId: AccountId; channel: Channel },
): Promise<string[]> => {
  const { rows } = await sql<{ sender: string }>`
    select distinct sender from lanes where channel = ${channel} and sender <> '' and mode <> 'removed'
      and not simulated and source <> 'device' and (${accountId} = any(dedicated_to) or (dedicated_to = '{}' and phone_id is null))`.execute(
    db,
  );
  return rows.map(({ sender }) => sender);
};

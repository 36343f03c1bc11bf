import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { IS_ALIVE } from '../serving/worker-store.ts';
import type { LaneMode } from './store.ts';

export interface LaneRow {
  id: number;
  name: string;
  channel: Channel;
  provider: string;
  simulated: boolean;
  source: 'settings' | 'admin' | 'device' | 'phone';
  mode: LaneMode;
  up: boolean | null;
  stateReason: string;
  stateAt: Date | null;
  worker: string | null;
  carrierName: string;
  place: string;
  preference: number;
  route: string;
  countries: string[];
  dedicatedTo: AccountId[];
  tenMinutes: number | null;
  oneHour: number | null;
  eightHours: number | null;
  oneDay: number | null;
  costMicros: bigint;
  countryCosts: Record<string, string>;
  sealedOptions: Buffer | null;
}

const MOST_LISTED = 10_000;

const columns = sql`l.id, l.name, l.channel, l.provider, l.simulated, l.source, l.mode, l.up,
  l.state_reason as "stateReason", l.state_at as "stateAt", w.name as worker, l.carrier as "carrierName", l.place,
  l.preference, l.route, l.countries, l.dedicated_to as "dedicatedTo", l.throttle_ten_minutes as "tenMinutes",
  l.throttle_one_hour as "oneHour", l.throttle_eight_hours as "eightHours", l.throttle_one_day as "oneDay",
  l.cost_micros as "costMicros", l.country_costs as "countryCosts", l.sealed_options as "sealedOptions"`;

/** All that are not removed; devices are customers', and have a list of their own. */
export const listLaneRows = async (db: Db): Promise<LaneRow[]> => {
  const { rows } = await sql<LaneRow>`
    select ${columns} from lanes l
    left join workers w on w.id = l.worker_id and l.leased_by is not null and ${IS_ALIVE}
    where l.mode <> 'removed' and l.source <> 'device' order by l.channel, l.preference, l.id limit ${MOST_LISTED}`.execute(
    db,
  );
  return rows;
};

/** Locked, to change it. */
export const lockLaneRow = async (trx: Db, laneId: number): Promise<LaneRow | undefined> => {
  const { rows } = await sql<LaneRow>`
    select ${columns} from lanes l left join workers w on false
    where l.id = ${laneId} and l.mode <> 'removed' for update of l`.execute(trx);
  return rows[0];
};

type NewLaneRow = Pick<LaneRow, 'name' | 'channel' | 'provider' | 'simulated' | 'source' | 'preference'> & {
  sessionHours: number | null;
  waba: string;
  sender: string;
};

/** Undefined if the name is taken, also by a lane that was removed: its messages bear it. */
export const insertLane = async (trx: Db, lane: NewLaneRow): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    insert into lanes (name, channel, provider, simulated, source, preference, session_hours, waba, sender)
    values (${lane.name}, ${lane.channel}, ${lane.provider}, ${lane.simulated}, ${lane.source}, ${lane.preference},
      ${lane.sessionHours}, ${lane.waba}, ${lane.sender})
    on conflict (name) do nothing returning id`.execute(trx);
  return rows[0]?.id;
};

/** Columns by what a change calls them. */
const COLUMNS = {
  carrierName: ['carrier', 'text'],
  place: ['place', 'text'],
  preference: ['preference', 'int'],
  route: ['route', 'text'],
  countries: ['countries', 'text[]'],
  dedicatedTo: ['dedicated_to', 'uuid[]'],
  tenMinutes: ['throttle_ten_minutes', 'int'],
  oneHour: ['throttle_one_hour', 'int'],
  eightHours: ['throttle_eight_hours', 'int'],
  oneDay: ['throttle_one_day', 'int'],
  costMicros: ['cost_micros', 'bigint'],
  countryCosts: ['country_costs', 'jsonb'],
  sealedOptions: ['sealed_options', 'bytea'],
  sender: ['sender', 'text'],
} as const;

export type LaneUpdate = Partial<Pick<LaneRow & NewLaneRow, keyof typeof COLUMNS>>;

/** What a worker has to open the carrier again for: its settings, its throttles and where it is served. */
const REOPENING = ['sealedOptions', 'place', 'tenMinutes', 'oneHour', 'eightHours', 'oneDay'] as const;

export const updateLane = async (trx: Db, laneId: number, update: LaneUpdate): Promise<void> => {
  const names = (Object.keys(update) as (keyof LaneUpdate)[]).filter((name) => update[name] !== undefined);
  if (names.length === 0) return;
  const sets = names.map((name) => {
    const [column, type] = COLUMNS[name];
    const value = name === 'countryCosts' ? JSON.stringify(update[name]) : update[name];
    return sql`${sql.ref(column)} = ${value}::${sql.raw(type)}`;
  });
  const reopens = REOPENING.some((name) => names.includes(name));
  await sql`update lanes set ${sql.join(sets)}, revision = revision + ${reopens ? 1 : 0} where id = ${laneId}`.execute(
    trx,
  );
};

/** A lane that is paused is neither up nor down: its messages wait for it. */
export const setLaneMode = async (trx: Db, laneId: number, mode: LaneMode): Promise<void> => {
  await sql`update lanes set mode = ${mode}, up = case when ${mode} in ('on', 'draining') then up end,
      rejecting_since = case when ${mode} in ('on', 'draining') then rejecting_since end,
      down_since = case ${mode} when 'removed' then coalesce(down_since, now()) when 'paused' then null
        else down_since end,
      released_at = case when leased_by is null then now() end
    where id = ${laneId}`.execute(trx);
};

import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import { DomainError } from '../../../ground/domain-error.ts';
import { type Db, storableJson } from '../../../ground/postgres/index.ts';
import type { ThrottleLimits } from '../serving/throttle.ts';
import { announceLanes } from '../serving/wake-store.ts';
import type { LaneMode } from './store.ts';

/** A way out of a phone. */
export interface PhoneLane extends ThrottleLimits {
  phoneId: string;
  phoneName: string;
  /** One lane for each. */
  method: string;
  channel: Channel;
  provider: string;
  simulated: boolean;
  preference: number;
  route: string;
  mode: Extract<LaneMode, 'on' | 'paused' | 'removed'>;
  idealVolume: number;
  transferRate: number;
  startedAt: Date | null;
  sharedFrom: number | null;
  sharedTo: number | null;
  mostRecipients: number | null;
  /** Its number: what messages that name no sender are from, and where replies to them come in. */
  sender: string;
  /** Networks that it reaches as its own. */
  aliases: string[];
  /** Accounts that it is lent to; none: it serves everybody. */
  dedicatedTo: string[];
}

const laneName = ({ phoneName, method }: PhoneLane): string => `${phoneName}.${method}`;

const refuseTaken = async (trx: Db, lanes: PhoneLane[]): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select l.name from lanes l
    join unnest(${lanes.map(laneName)}::text[], ${lanes.map(({ phoneId }) => phoneId)}::uuid[]) as given (name, phone_id)
      on given.name = l.name and l.phone_id is distinct from given.phone_id limit 1`.execute(trx);
  if (rows[0]) throw new DomainError('E_LANE_EXISTS', rows[0]);
};

/**
 * Stores the ways out of phones. One that a phone no longer has is removed: what waits in it goes by others. `reopen`:
 * where the phone is has changed, so that workers open its carrier again. `receiving`: one that a phone never had is
 * stored too, as removed, for what comes in by it.
 */
export const storePhoneLanes = async (
  trx: Db,
  lanes: PhoneLane[],
  { reopen = false, receiving = false } = {},
): Promise<void> => {
  if (lanes.length === 0) return;
  await refuseTaken(trx, lanes);
  const of = <Key extends keyof PhoneLane>(key: Key) => lanes.map((lane) => lane[key]);
  await sql`
    with given as (
      select g.*, array(select jsonb_array_elements_text(g.alias_list)) as aliases,
        array(select jsonb_array_elements_text(g.account_list)::uuid) as dedicated_to
      from unnest(${lanes.map(laneName)}::text[], ${of('channel')}::text[], ${of('provider')}::text[],
        ${of('simulated')}::boolean[], ${of('preference')}::int[], ${of('route')}::text[], ${of('mode')}::text[],
        ${of('phoneId')}::uuid[], ${of('phoneName')}::text[], ${of('method')}::text[], ${of('tenMinutes')}::int[],
        ${of('oneHour')}::int[], ${of('eightHours')}::int[], ${of('oneDay')}::int[], ${of('idealVolume')}::int[],
        ${of('transferRate')}::float8[], ${of('startedAt')}::timestamptz[], ${of('sharedFrom')}::smallint[],
        ${of('sharedTo')}::smallint[], ${of('mostRecipients')}::int[], ${of('sender')}::text[],
        ${lanes.map(({ aliases }) => storableJson(aliases))}::jsonb[],
        ${lanes.map(({ dedicatedTo }) => JSON.stringify(dedicatedTo))}::jsonb[]) as g (name, channel, provider,
        simulated, preference, route, mode, phone_id, phone_name, method, throttle_ten_minutes, throttle_one_hour,
        throttle_eight_hours, throttle_one_day, ideal_volume, transfer_rate, started_at, shared_from, shared_to,
        most_recipients, sender, alias_list, account_list)
    ), changed as (
      update lanes l set name = g.name, phone_name = g.phone_name, provider = g.provider, simulated = g.simulated,
        route = g.route, mode = g.mode, ideal_volume = g.ideal_volume, transfer_rate = g.transfer_rate,
        started_at = g.started_at, shared_from = g.shared_from, shared_to = g.shared_to,
        most_recipients = g.most_recipients, sender = g.sender, aliases = g.aliases, dedicated_to = g.dedicated_to,
        throttle_ten_minutes = g.throttle_ten_minutes, throttle_one_hour = g.throttle_one_hour,
        throttle_eight_hours = g.throttle_eight_hours, throttle_one_day = g.throttle_one_day,
        revision = l.revision + case when ${reopen}::boolean or
          (l.throttle_ten_minutes, l.throttle_one_hour, l.throttle_eight_hours, l.throttle_one_day) is distinct from
          (g.throttle_ten_minutes, g.throttle_one_hour, g.throttle_eight_hours, g.throttle_one_day) then 1 else 0 end,
        up = case when g.mode = 'on' then l.up end,
        rejecting_since = case when g.mode = 'on' then l.rejecting_since end,
        down_since = case when g.mode <> 'on' then coalesce(l.down_since, now())
          when l.mode = 'on' then l.down_since end,
        released_at = case when l.leased_by is not null then null when l.mode <> g.mode then now() else l.released_at end
      from given g where l.phone_id = g.phone_id and l.method = g.method returning l.id
    )
    insert into lanes (name, channel, provider, simulated, preference, route, mode, source, phone_id, phone_name, method,
      throttle_ten_minutes, throttle_one_hour, throttle_eight_hours, throttle_one_day, ideal_volume, transfer_rate,
      started_at, shared_from, shared_to, most_recipients, sender, aliases, dedicated_to)
    select name, channel, provider, simulated, preference, route, mode, 'phone', phone_id, phone_name, method,
      throttle_ten_minutes, throttle_one_hour, throttle_eight_hours, throttle_one_day, ideal_volume, transfer_rate,
      started_at, shared_from, shared_to, most_recipients, sender, aliases, dedicated_to
    from given g where (mode <> 'removed' or ${receiving}::boolean)
      and not exists (select from lanes l where l.phone_id = g.phone_id and l.method = g.method)
    order by name`.execute(trx);
  await announceLanes(trx);
};

/**
 * The phone is real from now on: what waits in its simulated lanes, tests among them, must not be sent by it, and goes
 * by other simulators. The lanes make way for real ones of the same names.
 */
export const retireSimulatedLanes = async (trx: Db, phoneId: string, methods: string[]): Promise<void> => {
  await sql`
    update lanes set mode = 'removed', down_since = coalesce(down_since, now()), up = null, rejecting_since = null,
      name = name || '.simulated', method = method || '.simulated', revision = revision + 1
    where phone_id = ${phoneId} and method = any(${methods}::text[]) and simulated`.execute(trx);
};

/** The lanes of all phones, those that were removed too: their messages count. */
export const readPhoneLanes = async (
  db: Db,
): Promise<{ id: number; phoneId: string; method: string; mode: LaneMode }[]> => {
  const { rows } = await sql<{ id: number; phoneId: string; method: string; mode: LaneMode }>`
    select id, phone_id as "phoneId", method, mode from lanes where phone_id is not null order by id`.execute(
    db,
  );
  return rows;
};

interface FoundLane {
  id: number;
  name: string;
  channel: Channel;
  sender: string;
}
const FOUND = sql`id, name, channel, sender`;

/** One way out of a phone, whether it is in use or not. */
export const findPhoneLane = async (
  db: Db,
  { phoneId, method, provider }: { phoneId: string; method: string; provider: string },
): Promise<FoundLane | undefined> => {
  const { rows } = await sql<FoundLane>`
    select ${FOUND} from lanes
    where phone_id = ${phoneId} and method = ${method} and provider = ${provider}`.execute(db);
  return rows[0];
};

/** What a provider drives of these phones, whether it is in use or not. */
export const findLanesOfPhones = async (
  db: Db,
  { phoneIds, provider }: { phoneIds: string[]; provider: string },
): Promise<FoundLane[]> => {
  const { rows } = await sql<FoundLane>`
    select ${FOUND} from lanes
    where phone_id = any(${phoneIds}::uuid[]) and provider = ${provider} order by id`.execute(db);
  return rows;
};

/** The ways out of phones for a channel. */
export const findPhoneLanes = async (db: Db, channel: Channel): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select id from lanes where phone_id is not null and channel = ${channel} and mode = 'on' order by id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

const NO_HEARTBEAT = 'The phone was not heard of for three minutes.';

/** A phone that is not heard of any more is down, whatever its last connection said; one that is heard of again is not. */
export const followHeartbeats = async (
  db: Db,
  { silent, heard }: { silent: string[]; heard: string[] },
): Promise<void> => {
  await sql`
    update lanes set up = false, down_since = coalesce(down_since, now()), rejecting_since = null,
      state_reason = ${NO_HEARTBEAT}, state_at = now()
    where phone_id = any(${silent}::uuid[]) and mode in ('on', 'draining') and up is distinct from false`.execute(
    db,
  );
  await sql`
    update lanes set up = true, down_since = null, state_reason = '', state_at = now()
    where phone_id = any(${heard}::uuid[]) and mode in ('on', 'draining') and up is false
      and state_reason = ${NO_HEARTBEAT}`.execute(db);
};

/** The numbers of phones that are lent to an account, for messages of a channel. */
export const listLentNumbers = async (
  db: Db,
  { accountId, channel }: { accountId: AccountId; channel: Channel },
): Promise<string[]> => {
  const { rows } = await sql<{ sender: string }>`
    select distinct sender from lanes where phone_id is not null and channel = ${channel} and mode <> 'removed'
      and sender <> '' and ${accountId} = any(dedicated_to) order by sender`.execute(db);
  return rows.map(({ sender }) => sender);
};

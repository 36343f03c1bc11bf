import { sql } from 'kysely';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { RoutedMessage } from '../../routing/index.ts';
import { isChunk, partingGiven, scheduledLane, suspended } from '../waiting/chunk-store.ts';
import type { Attempted } from '../waiting/claimed-store.ts';

/** Why a message left a lane, as its route shows. */
export type TransferReason =
  | 'REFUSED'
  | 'LANE_DOWN'
  | 'LANE_REJECTING'
  | 'LANE_REMOVED'
  | 'LANE_SUSPENDED'
  | 'TRANSFERRED';

/** A message that waits in a chunk, which is locked, with what the choice of its next lane depends on. */
export interface WaitingMessage extends RoutedMessage {
  id: MessageId;
  recipient: string;
  laneId: number;
  priority: number;
  /** Of its chunk; both as PostgreSQL writes them. */
  due: string;
  chunkId: string;
}

/** The device that a message names. */
const DEVICE = sql`nullif(message_device(m.sender), '')`;
/** The number or name that a message without a device asks to be sent from. */
const FROM = sql`case when message_device(m.sender) = '' then m.sender end`;

const COLUMNS = sql`m.id, p.lane_id as "laneId", p.priority, p.account_id as "accountId", p.due::text,
  p.id::text as "chunkId", m.recipient, ${FROM} as "from", m.channel, m.country, m.test, m.tried_lanes as tried,
  ${DEVICE} as device`;

/** Some of what is due in a lane that is in trouble, the first to be sent first. */
export const lockDue = async (
  trx: Db,
  { laneId, limit, maxPriority }: { laneId: number; limit: number; maxPriority: number },
): Promise<WaitingMessage[]> => {
  const { rows } = await sql<WaitingMessage>`
    with found as materialized (
      select lane_id, priority, account_id, due, id, cardinality(ids) as size from outbox_chunks
      where lane_id = ${laneId} and priority <= ${maxPriority} and due <= now()
        -- The lane may have recovered since it was found to be in trouble.
        and exists (select from lanes where id = ${laneId} and (down_since is not null or rejecting_since is not null))
      order by priority limit ${limit}
    ), cut as (
      select *, ${limit} - sum(size) over (
        order by priority, account_id, due, id rows unbounded preceding) + size as room from found
    ), picked as materialized (
      select l.*, least(cardinality(l.ids), p.room)::int as taken
      from (select * from cut where room > 0) p
      cross join lateral (select * from outbox_chunks l where ${isChunk} limit 1 for update skip locked) l
    )
    select ${COLUMNS} from picked p cross join lateral (
      select id, recipient, sender, channel, country, test, tried_lanes from messages
      where created_at = p.created_at and id = any(p.ids[: p.taken]) and status = 'PENDING'
    ) m`.execute(trx);
  return rows;
};

/** Those of these messages that wait in a lane, or also for their time. */
export const lockWaiting = async (
  trx: Db,
  ids: MessageId[],
  { scheduled } = { scheduled: false },
): Promise<WaitingMessage[]> => {
  const lane = scheduled ? sql`coalesce(m.lane_id, ${scheduledLane})` : sql`m.lane_id`;
  const { rows } = await sql<WaitingMessage>`
    select ${COLUMNS} from messages m join outbox_chunks p on p.lane_id = ${lane} and p.priority = m.priority
      -- Never due, because its account is suspended.
      and p.account_id = m.account_id
      and p.due = any(array[coalesce(m.not_before, m.scheduled_at, m.created_at), ${suspended}])
      -- A chunk's ids are in order.
      and m.id >= p.ids[1] and m.id <= p.ids[cardinality(p.ids)] and m.id = any(p.ids)
    where m.id = any(${ids}::uuid[]) and m.status = 'PENDING'
    order by p.lane_id, p.priority, p.account_id, p.due, p.id for update of p`.execute(trx);
  return rows;
};

/** What the choice of a lane for this message depends on, whether it waits or not. */
export const readRouted = async (
  db: Db,
  id: MessageId,
): Promise<(RoutedMessage & { recipient: string; laneId: number | null }) | undefined> => {
  const { rows } = await sql<RoutedMessage & { recipient: string; laneId: number | null }>`
    select m.account_id as "accountId", m.recipient, ${FROM} as "from", m.channel, m.country, m.test, m.tried_lanes as tried,
      m.lane_id as "laneId", ${DEVICE} as device
    from messages m where m.id = ${id} and m.type = 'outgoing'`.execute(db);
  return rows[0];
};

/** A step of a message's route, with the lane it left: people read it later. Its cost is that of the lane `n`. */
const stepTo = (why: TransferReason) => sql`lane_id = n.id, tried_lanes = m.tried_lanes || m.lane_id,
  attempts_before = m.attempts, updated_at = now(),
  cost_micros = m.segment * coalesce((n.country_costs ->> m.country)::bigint, n.cost_micros),
  route = coalesce(m.route, '[]') || jsonb_build_array(jsonb_build_object('at', now(),
    'from', m.lane_id, 'to', n.id, 'why', ${why}::text, 'code', m.error_code))`;

export interface Move {
  waiting: WaitingMessage;
  to: number;
}

/** Moves messages whose chunks are locked into other lanes, in one statement. */
export const moveLocked = async (trx: Db, moves: Move[], why: TransferReason): Promise<void> => {
  if (moves.length === 0) return;
  const of = <Key extends keyof WaitingMessage>(key: Key) => moves.map(({ waiting }) => waiting[key]);
  await sql`
    with given as materialized (
      select * from unnest(${of('laneId')}::int[], ${of('priority')}::smallint[], ${of('accountId')}::uuid[],
        ${of('due')}::timestamptz[], ${of('chunkId')}::bigint[], ${of('id')}::uuid[],
        ${moves.map(({ to }) => to)}::int[]) as g (lane_id, priority, account_id, due, id, message_id, to_lane)
    ), ${partingGiven}, out as materialized (
      select g.message_id, g.to_lane, p.* from given g join parted p using (lane_id, priority, account_id, due, id)
    ), moved as (
      insert into outbox_chunks (lane_id, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, ids)
      select to_lane, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes || lane_id,
        array_agg(message_id order by message_id)
      from out group by to_lane, priority, account_id, due, batch_id, created_at, expires_at, tried_lanes, lane_id, id
    )
    update messages m set ${stepTo(why)}
    from out join lanes n on n.id = out.to_lane
    where m.created_at = out.created_at and m.id = out.message_id and m.status = 'PENDING'`.execute(trx);
};

/** A message that this lane has deferred: it is in no chunk yet. */
export interface Refused extends RoutedMessage {
  id: MessageId;
  recipient: string;
  /** As PostgreSQL writes it. */
  createdAt: string;
}

/** Those of the given messages that this lane has deferred too often. */
export const lockRefused = async (
  trx: Db,
  { laneId, messages, attempts }: { laneId: number; messages: Attempted[]; attempts: number },
): Promise<Refused[]> => {
  const { rows } = await sql<Refused>`
    select m.id, m.recipient, m.created_at::text as "createdAt", m.account_id as "accountId", ${FROM} as "from",
      m.channel, m.country, m.test, m.tried_lanes as tried, ${DEVICE} as device
    from unnest(${messages.map(({ id }) => id)}::uuid[],
      ${messages.map(({ createdAt }) => createdAt)}::timestamptz[]) as given (id, created_at)
    join messages m on m.id = given.id and m.created_at = given.created_at
    where m.lane_id = ${laneId} and m.attempts - m.attempts_before >= ${attempts} for update of m`.execute(
    trx,
  );
  return rows;
};

/** Moves messages that are in no chunk yet; they wait again without a pause. */
export const moveRefused = async (trx: Db, moves: { refused: Refused; to: number }[]): Promise<void> => {
  if (moves.length === 0) return;
  await sql`
    update messages m set not_before = null, ${stepTo('REFUSED')}
    from unnest(${moves.map(({ refused }) => refused.id)}::uuid[],
      ${moves.map(({ refused }) => refused.createdAt)}::timestamptz[], ${moves.map(({ to }) => to)}::int[]
    ) as given (id, created_at, to_lane) join lanes n on n.id = given.to_lane
    where m.id = given.id and m.created_at = given.created_at`.execute(trx);
};

/** A lane that is in trouble. */
export interface TroubledLane {
  id: number;
  name: string;
  channel: RoutedMessage['channel'];
  simulated: boolean;
  route: string;
  why: TransferReason;
}

/**
 * Lanes that have been in trouble for this long and have others in their route. What waits in a lane that an admin has
 * paused stays for when it goes on; a phone that is suspended may never do so.
 */
export const findTroubledLanes = async (db: Db, afterMs: number): Promise<TroubledLane[]> => {
  const { rows } = await sql<TroubledLane>`
    select id, name, channel, simulated, route, case when mode = 'removed' then 'LANE_REMOVED'
      when mode = 'paused' then 'LANE_SUSPENDED' when up is false then 'LANE_DOWN' else 'LANE_REJECTING' end as why
    from lanes where route <> '' and (mode <> 'paused' or phone_id is not null)
      and least(down_since, rejecting_since) <= now() - ${afterMs} * interval '1 ms'
    order by id`.execute(db);
  return rows;
};

/** The route of a lane and what it serves. */
export const readRouteOf = async (db: Db, laneId: number): Promise<Omit<TroubledLane, 'why'> | undefined> => {
  const { rows } = await sql<Omit<TroubledLane, 'why'>>`
    select id, name, channel, simulated, route from lanes where id = ${laneId}`.execute(db);
  return rows[0];
};

/** Whether this transaction is now the only one that moves what waits in this lane. */
export const lockLane = async (trx: Db, laneId: number): Promise<boolean> => {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('failover', ${laneId})) as taken`.execute(trx);
  return rows[0]?.taken ?? false;
};

import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { scheduledLane, suspended } from './chunk-store.ts';

export interface QueuedMessage {
  status: MessageStatus;
  laneId: number | null;
  unknown: boolean;
  /** Of its chunk, while it waits; as PostgreSQL writes them. */
  priority: number | null;
  due: string | null;
  chunkId: string | null;
}

/** A message, and where it waits if it does. */
export const findQueued = async (db: Db, id: MessageId): Promise<QueuedMessage | undefined> => {
  const { rows } = await sql<QueuedMessage>`
    select m.status, m.lane_id as "laneId", m.unknown_since is not null as unknown, p.priority, p.due::text,
      p.id::text as "chunkId"
    from messages m left join outbox_chunks p on m.status = 'PENDING' and p.lane_id = coalesce(m.lane_id, ${scheduledLane})
      and p.priority = m.priority and p.account_id = m.account_id
      and p.due = any(array[coalesce(m.not_before, m.scheduled_at, m.created_at), ${suspended}])
      and m.id = any(p.ids)
    where m.id = ${id} and m.type = 'outgoing'`.execute(db);
  return rows[0];
};

export interface QueueNeighbour {
  id: MessageId;
  /** How many come before it. */
  place: number;
  accountId: AccountId;
  recipient: string;
  priority: number;
  due: Date;
  attempts: number;
}

interface Spot {
  laneId: number;
  priority: number;
  due: string;
  chunkId: string;
}

/** Chunks on either side that are looked at: each has a message at least. */
const CHUNKS = 10;

/** What waits around a chunk in the order of time, singles first, then the oldest; without what is held. */
export const listAround = async (
  db: Db,
  { laneId, priority, due, chunkId }: Spot,
): Promise<QueueNeighbour[]> => {
  const here = sql`(${priority}::smallint, ${due}::timestamptz, ${chunkId}::bigint)`;
  const { rows } = await sql<QueueNeighbour>`
    with before as materialized (
      select *, cardinality(ids) as size from outbox_chunks
      where lane_id = ${laneId} and (priority, due, id) < ${here} and due < ${suspended}
    ), near as (
      (select lane_id, priority, account_id, due, id, created_at, ids from before
        order by priority desc, due desc, id desc limit ${CHUNKS})
      union all
      (select lane_id, priority, account_id, due, id, created_at, ids from outbox_chunks
        where lane_id = ${laneId} and (priority, due, id) >= ${here} and due < ${suspended}
        order by priority, due, id limit ${CHUNKS + 1})
    ), counted as (
      select near.*, (select coalesce(sum(size), 0) from before)
        - (select coalesce(sum(cardinality(n.ids)), 0) from near n where (n.priority, n.due, n.id) < ${here})
        + sum(cardinality(ids)) over (order by priority, due, id rows unbounded preceding) - cardinality(ids) as first
      from near
    )
    select one.id, (c.first + one.place - 1)::int as place, c.account_id as "accountId", m.recipient, c.priority,
      c.due, m.attempts
    from counted c cross join unnest(c.ids) with ordinality as one (id, place)
    join messages m on m.id = one.id and m.created_at = c.created_at
    order by c.priority, c.due, c.id, one.place`.execute(db);
  return rows;
};

export interface QueueLane {
  name: string;
  channel: 'sms' | 'whatsapp' | 'email';
  provider: string;
  mode: string;
  up: boolean | null;
  reason: string;
  waiting: number;
  claimed: number;
}

export const findQueueLane = async (db: Db, laneId: number): Promise<QueueLane | undefined> => {
  const { rows } = await sql<QueueLane>`
    select l.name, l.channel, l.provider, l.mode, l.up, l.state_reason as reason,
      (select coalesce(sum(cardinality(ids)), 0) from outbox_chunks where lane_id = l.id)::int as waiting,
      (select coalesce(sum(cardinality(ids)), 0) from claims where lane_id = l.id)::int as claimed
    from lanes l where l.id = ${laneId}`.execute(db);
  return rows[0];
};

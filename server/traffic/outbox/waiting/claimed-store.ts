import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Lease, Outgoing } from '../../lanes/index.ts';

/** What one claim took. */
export interface Claim {
  id: bigint;
  /** When, as PostgreSQL writes it. */
  at: string;
  /** How many of it have no result that is stored; with the last one the claim is finished. */
  open: number;
}

/** A message that this worker has claimed. */
export interface Claimed extends Outgoing {
  /** As PostgreSQL writes it, to the microsecond: it is half of the key. */
  createdAt: string;
  /** As in the name of its table: `2026_11`. */
  month: string;
  laneId: number;
  priority: number;
  /** Which attempt this is; a result is only written to the attempt that it belongs to. */
  attempts: number;
  /** How many of those before it were put off to a named time, through no fault of the lane or the message. */
  uncounted: number;
  claim: Claim;
}

/** What has to be known of a message to write its result. */
export type Attempted = Pick<
  Claimed,
  'id' | 'accountId' | 'laneId' | 'createdAt' | 'month' | 'attempts' | 'uncounted' | 'claim'
>;

/** `uncounted` of a message. */
export const UNCOUNTED = sql`coalesce(jsonb_array_length(jsonb_path_query_array(tries, '$[*] ? (@.excused == true)')), 0)`;

/** Takes these out of their claims, and deletes the claims that are finished then. */
const takeOut = async (db: Db, messages: Claimed[]): Promise<void> => {
  const counts = new Map<Claim, number>();
  for (const { claim } of messages) counts.set(claim, (counts.get(claim) ?? 0) + 1);
  const { empty = [], others = [] } = Object.groupBy([...counts], ([claim, count]) =>
    count >= claim.open ? 'empty' : 'others',
  );
  await sql`
    with emptied as (delete from claims where id = any(${empty.map(([{ id }]) => id)}::bigint[]))
    update claims h set ids = kept.ids, created_ats = kept.created_ats, attempts = kept.attempts
    from (
      select claims.id, array_agg(one.id) as ids, array_agg(one.created_at) as created_ats,
        array_agg(one.attempts) as attempts
      from claims cross join unnest(claims.ids, claims.created_ats, claims.attempts) as one (id, created_at, attempts)
      where claims.id = any(${others.map(([{ id }]) => id)}::bigint[])
        and one.id <> all(${messages.map(({ id }) => id)}::uuid[])
      group by claims.id
    ) kept where h.id = kept.id`.execute(db);
};

/** The key of a message, as PostgreSQL writes it. */
interface MessageKey {
  id: string;
  createdAt: string;
}

/**
 * Takes messages out of their claims that were certainly not handed to the carrier, even if another holder has marked
 * them as unknown meanwhile. Returns those that are to wait again; a second call finds none. What is unknown of a later
 * claim may have been sent by that one: when it was claimed tells them apart.
 */
export const takeUnsent = async (trx: Db, holder: string, messages: Claimed[]): Promise<MessageKey[]> => {
  const claimIds = [...new Set(messages.map(({ claim }) => claim.id))];
  await sql`select from claims where id = any(${claimIds}::bigint[]) order by id for update`.execute(trx);
  const { rows } = await sql<MessageKey>`
    with back as materialized (
      select m.id, m.created_at
      from unnest(${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ createdAt }) => createdAt)}::timestamptz[],
        ${messages.map(({ attempts }) => attempts)}::smallint[],
        ${messages.map(({ claim }) => claim.id)}::bigint[], ${messages.map(({ claim }) => claim.at)}::timestamptz[])
        as given (id, created_at, attempts, claim_id, claimed_at)
      join messages m on m.id = given.id and m.created_at = given.created_at
      where m.status = 'PENDING' and m.attempts = given.attempts - 1
        and ((m.unknown_since is not null and m.claimed_at = given.claimed_at) or exists (select from claims h
          where h.id = given.claim_id and h.holder = ${holder} and given.id = any(h.ids)))
      for update of m
    ), known as (
      update messages m set unknown_since = null, claimed_at = null, reason = '' from back
      where m.id = back.id and m.created_at = back.created_at and m.unknown_since is not null
    )
    select id, created_at::text as "createdAt" from back`.execute(trx);
  await takeOut(trx, messages);
  return rows;
};

/** The messages that are still in the claims `taken`, as `one`. */
const stillClaimed = sql`taken cross join unnest(taken.ids, taken.created_ats, taken.attempts)
      as one (id, created_at, attempts)
    join messages m on m.id = one.id and m.created_at = one.created_at
      and m.attempts = one.attempts and m.status = 'PENDING' and m.unknown_since is null`;

/** Takes what is in claims of this holder other than these; returns the messages that are to wait again. */
export const takeUncertainClaims = async (
  trx: Db,
  { laneId, holder, claimIds }: { laneId: number; holder: string; claimIds: bigint[] },
): Promise<MessageKey[]> => {
  const { rows } = await sql<MessageKey>`
    with taken as (
      delete from claims where lane_id = ${laneId} and holder = ${holder} and id <> all(${claimIds}::bigint[])
      returning *
    )
    select m.id, m.created_at::text as "createdAt" from ${stillClaimed}`.execute(trx);
  return rows;
};

/** Takes all claims of these leases, whose workers are certainly gone; returns the messages that have no result. */
export const takeLeftClaims = async (trx: Db, leases: Lease[]): Promise<Attempted[]> => {
  const { rows } = await sql<Omit<Attempted, 'claim'> & { claimId: bigint; claimedAt: string }>`
    with taken as (
      delete from claims h
      using unnest(${leases.map(({ laneId }) => laneId)}::int[], ${leases.map(({ holder }) => holder)}::uuid[])
        as given (lane_id, holder)
      where h.lane_id = given.lane_id and h.holder = given.holder returning h.*
    )
    select m.id, m.account_id as "accountId", m.lane_id as "laneId", m.created_at::text as "createdAt",
      to_char(m.created_at at time zone 'UTC', 'YYYY_MM') as month, m.attempts + 1 as attempts,
      ${UNCOUNTED} as uncounted, taken.id as "claimId", taken.claimed_at::text as "claimedAt" from ${stillClaimed}`.execute(
    trx,
  );
  return rows.map(({ claimId, claimedAt, ...row }) => ({
    ...row,
    claim: { id: claimId, at: claimedAt, open: rows.length },
  }));
};

const markingUnknown = (which: RawBuilder<unknown>) => sql`
  with taken as (delete from claims h where ${which} returning h.*)
  update messages m set unknown_since = now(), claimed_at = one.claimed_at,
    reason = 'The worker ended before the carrier answered.'
  from (
    select taken.claimed_at, one.* from taken
    cross join unnest(taken.ids, taken.created_ats, taken.attempts) as one (id, created_at, attempts)
  ) one
  where m.id = one.id and m.created_at = one.created_at and m.attempts = one.attempts and m.status = 'PENDING'
    and m.unknown_since is null`;

export interface LaneCount {
  laneId: number;
  count: number;
}

/** What former holders of these lanes had claimed when they died may or may not have been sent. */
export const markUnknown = async (db: Db, leases: Lease[]): Promise<LaneCount[]> => {
  const { rows } = await sql<{ laneId: number }>`${markingUnknown(sql`exists (
      select from unnest(${leases.map(({ laneId }) => laneId)}::int[], ${leases.map(({ holder }) => holder)}::uuid[])
        as taken (lane_id, holder)
      where h.lane_id = taken.lane_id and h.holder <> taken.holder)`)}
    returning m.lane_id as "laneId"`.execute(db);
  return [...Map.groupBy(rows, ({ laneId }) => laneId)].map(([laneId, of]) => ({ laneId, count: of.length }));
};

/** The same for claims of workers that no longer serve the lane. */
export const markUnknownOfIdleLanes = async (db: Db): Promise<void> => {
  await markingUnknown(sql`h.claimed_at < now() - interval '1 minute' and not exists (
    select from lanes l join workers w on w.id = l.worker_id
    where l.id = h.lane_id and l.leased_by = h.holder
      and w.leased_until >= now() - interval '1 minute')`).execute(db);
};

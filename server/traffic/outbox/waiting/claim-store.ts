import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import { type Db, prepared, preparedPool } from '../../../ground/postgres/index.ts';
import { isHeldBy, type Outgoing } from '../../lanes/index.ts';
import { ANY_PRIORITY, isChunk, takingPicked } from './chunk-store.ts';
import { type Claimed, UNCOUNTED } from './claimed-store.ts';

/** How far an account's messages of a priority were claimed, in the order of sending. */
export interface ClaimCursor {
  priority: number;
  accountId: AccountId;
  /** Of the last chunk that some were taken of; both as PostgreSQL writes them. */
  due: string;
  chunkId: string;
  /** How many were in it: the next one has about as many. */
  size: number;
}

export interface ClaimRequest {
  laneId: number;
  holder: string;
  limit: number;
  /** Only those up to this priority; all if not given. */
  maxPriority?: number | undefined;
}

interface Taken {
  claimed: Claimed[];
  /** The last place of each account. */
  places: ClaimCursor[];
}

/** Further accounts are served by the next claim. */
const MOST_ACCOUNTS = 100;
/** More chunks of an account than these are not looked at for one claim. */
const MOST_CHUNKS = 50;

const isWaiting = (laneId: number) => sql`lane_id = ${laneId} and due <= now()
  and (expires_at is null or expires_at > now())`;

const shares = (limit: number) => sql`
  select *, least(${MOST_CHUNKS}, ceil(share::numeric / size) + 1)::int as chunks from (
    select *, greatest(1, ceil(${limit}::numeric / count(*) over (partition by priority)))::int as share from heads
  ) equal`;

/** A chunk that some were taken of: what its messages have in common. */
interface ChunkOf extends ClaimCursor {
  /** As PostgreSQL writes it. */
  createdAt: string;
  month: string;
}

/** A message; the first one of many brings along the claim and the chunks. */
type Row = Pick<Outgoing, 'id' | 'recipient' | 'from' | 'text' | 'subject' | 'html' | 'content'> & {
  chunkId: string;
  attempts: number;
  uncounted: number;
  claimId: bigint | null;
  at: string | null;
  chunks: ChunkOf[] | null;
};

/**
 * Claims `taken` messages of the locked chunks `picked`. Messages that no longer wait, for whatever reason, are left
 * out.
 */
const taking = ({ laneId, holder }: ClaimRequest) => sql`
    ${takingPicked}, chosen as materialized (
      select m.*, p.id as chunk_id, row_number() over () as place from held p cross join lateral (
        select id, created_at, recipient, sender, message, subject, html, content, attempts, ${UNCOUNTED} as uncounted
        from messages
        where created_at = p.created_at and id = any(p.ids[: p.taken]) and status = 'PENDING'
          and unknown_since is null
      ) m
    ), claim as (
      insert into claims (lane_id, holder, ids, created_ats, attempts)
      select ${laneId}, ${holder}, array_agg(id), array_agg(created_at), array_agg(attempts) from chosen
      having count(*) > 0 returning id as claim_id, claimed_at
    )`;

const CHUNKS = sql`(select json_agg(json_build_object('chunkId', id::text, 'priority', priority, 'accountId', account_id,
      'due', due::text, 'size', size, 'createdAt', created_at::text,
      'month', to_char(created_at at time zone 'UTC', 'YYYY_MM'))) from held)`;

/** What many have in common travels once. */
const taken = sql`m.chunk_id::text as "chunkId", m.id, m.recipient, m.sender as "from", m.message as text, m.subject,
      m.html, m.content, m.attempts + 1 as attempts, m.uncounted, h.claim_id as "claimId", h.claimed_at::text as at, h.chunks
    from chosen m left join (select 1 as place, claim.*, ${CHUNKS} as chunks from claim) h on h.place = m.place`;

/** Of the chunks `found`: of each account up to its share, and in all up to the limit. */
const cutting = (limit: number) => sql`
    fair as (
      select *, least(size, share - sum(size) over (
        partition by priority, account_id order by due, id rows unbounded preceding) + size)::int as mine from found
    ), cut as (
      select *, least(mine, ${limit} - sum(mine) over (
        order by priority, account_id, due, id rows unbounded preceding) + mine)::int as taken
      from fair where mine > 0
    )`;

/**
 * Takes of `shares` what each account may have, the lowest priority first: whole chunks, and the beginning of the
 * last one.
 */
const takingShares = (claim: ClaimRequest, beyond: RawBuilder<unknown>) => sql`
    found as materialized (
      select ${claim.laneId}::int as lane_id, shares.priority, shares.account_id, shares.share, chunk.*
      from shares cross join lateral (
        select due, id, created_at, ids, cardinality(ids) as size from outbox_chunks
        where ${isWaiting(claim.laneId)} and priority = shares.priority and account_id = shares.account_id ${beyond}
        order by due, id limit shares.chunks for update skip locked
      ) chunk
      where ${isHeldBy(claim)}
    ), ${cutting(claim.limit)}, picked as materialized (select * from cut where taken > 0), ${taking(claim)}
    select ${taken}`;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The last place of each account. */
const placesOf = (chunks: ChunkOf[]): ClaimCursor[] => {
  const places = new Map<string, ClaimCursor>();
  for (const { priority, accountId, due, chunkId, size } of chunks) {
    const place = places.get(`${priority} ${accountId}`);
    if (!place || place.due < due || (place.due === due && BigInt(place.chunkId) < BigInt(chunkId)))
      places.set(`${priority} ${accountId}`, { priority, accountId, due, chunkId, size });
  }
  return [...places.values()];
};

/** All of them are one claim. */
const claimOf = (laneId: number, rows: Row[]): Taken => {
  const first = rows.find(({ chunks }) => chunks !== null);
  if (!first?.chunks || first.claimId === null || first.at === null) return { claimed: [], places: [] };
  const claim = { id: first.claimId, at: first.at, open: rows.length };
  const chunks = new Map(first.chunks.map((chunk) => [chunk.chunkId, chunk]));
  const claimed = rows.map(
    ({ chunkId, id, recipient, from, text, subject, html, content, attempts, uncounted }): Claimed => {
      const { accountId, priority, createdAt, month } = chunks.get(chunkId) as ChunkOf;
      return {
        id,
        accountId,
        laneId,
        recipient,
        from,
        text,
        subject,
        html,
        content,
        createdAt,
        month,
        priority,
        attempts,
        uncounted,
        claim,
      };
    },
  );
  claimed.sort((a, b) => a.priority - b.priority || compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
  return { claimed, places: placesOf(first.chunks) };
};

/** If no more chunks than this wait, a claim sees all of them and misses no account. */
const FEW_CHUNKS = 2_000;
/** Transactions don't commit in the order in which they began. */
const OVERLAP = '250 ms';

/**
 * Claims singles that wait since a moment, with accounts taking turns, if they are in few chunks: those are found
 * quickly. Returns how many chunks there are; if there are too many, none was taken.
 */
export const claimUrgentHead = async (
  db: Db,
  { since, ...claim }: Omit<ClaimRequest, 'maxPriority'> & { since: string },
): Promise<Taken & { left: 'none' | 'some' | 'many' }> => {
  const { rows } = await sql<Row & { left: 'none' | 'some' | 'many' }>`${prepared('claim-few')}
    with first as materialized (
      select lane_id, priority, account_id, due, id, cardinality(ids) as size from outbox_chunks
      where ${isWaiting(claim.laneId)} and priority = 0 and due >= ${since}::timestamptz - ${OVERLAP}::interval
        and ${isHeldBy(claim)}
      order by due, id limit ${FEW_CHUNKS + 1}
    ), state as materialized (
      select case when count(*) > ${FEW_CHUNKS} then 'many' when sum(size) > ${claim.limit} then 'some' else 'none' end
          as "left",
        greatest(1, ceil(${claim.limit}::numeric / greatest(1, count(distinct account_id))))::int as share
      from first
    ), found as (select first.*, share from first cross join state where "left" <> 'many'),
    ${cutting(claim.limit)}, picked as materialized (
      select l.*, cardinality(l.ids) as size, least(p.taken, cardinality(l.ids))::int as taken
      from (select * from cut where taken > 0) p
      cross join lateral (select * from outbox_chunks l where ${isChunk} limit 1 for update skip locked) l
    ), ${taking(claim)}
    select state."left", m.* from state left join (select ${taken}) m on true`.execute(preparedPool(db));
  return {
    ...claimOf(
      claim.laneId,
      rows.filter(({ id }) => id !== null),
    ),
    left: rows[0]?.left ?? 'none',
  };
};

/**
 * Claims the next messages for the holder of the lane. It first finds the accounts that have something waiting by
 * skipping through the index from one to the next, then takes an equal share of each, the lowest priority first.
 */
export const claimMessages = async (db: Db, claim: ClaimRequest): Promise<Taken> => {
  const { laneId, limit, maxPriority = ANY_PRIORITY } = claim;
  const waiting = sql`${isWaiting(laneId)} and priority <= ${maxPriority}`;
  const { rows } = await sql<Row>`${prepared('claim-messages')}
    with recursive heads as (
      (select priority, account_id, cardinality(ids) as size, 1 as place from outbox_chunks where ${waiting}
        order by priority, account_id limit 1)
      union all
      select next.priority, next.account_id, next.size, heads.place + 1 from heads cross join lateral (
        select priority, account_id, cardinality(ids) as size from outbox_chunks
        where ${waiting} and (priority, account_id) > (heads.priority, heads.account_id)
        order by priority, account_id limit 1
      ) next where heads.place < ${MOST_ACCOUNTS}
    ), shares as (${shares(limit)}), ${takingShares(claim, sql``)}`.execute(preparedPool(db));
  return claimOf(claim.laneId, rows);
};

/**
 * The same for accounts that are known to have something waiting, from where the last claim ended: dead index entries
 * before that place are not read again.
 */
export const claimAfterCursors = async (
  db: Db,
  claim: ClaimRequest,
  places: ClaimCursor[],
): Promise<Taken> => {
  const { rows } = await sql<Row>`${prepared('claim-beyond')}
    with heads as (
      select * from unnest(${places.map(({ priority }) => priority)}::smallint[],
        ${places.map(({ accountId }) => accountId)}::uuid[], ${places.map(({ due }) => due)}::timestamptz[],
        ${places.map(({ chunkId }) => chunkId)}::bigint[], ${places.map(({ size }) => size)}::int[]
      ) as given (priority, account_id, from_due, from_id, size)
    ), shares as (${shares(claim.limit)}),
    ${takingShares(claim, sql`and (due, id) >= (shares.from_due, shares.from_id)`)}`.execute(
    preparedPool(db),
  );
  return claimOf(claim.laneId, rows);
};

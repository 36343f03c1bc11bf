import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { BatchId, Channel, MessageId, MessageStatus } from '../../contract/messages.ts';
import { byIndexes, column, type Db, prepared } from '../postgres/index.ts';
import type { Happening } from '../tell.ts';
import type { Outgoing } from './carrier.ts';

/** Why a message whose outcome nobody knows is shown to an admin. */
export const UNKNOWN_OUTCOME = 'E_UNKNOWN_OUTCOME';

/** A message in our hand. */
export interface Claimed extends Outgoing {
  /** As PostgreSQL writes it: to the microsecond, it is half of the key. */
  createdAt: string;
  /** When it may go out at the earliest, as PostgreSQL writes it. */
  due: string;
  priority: number;
  /** Which try this is; a result is only written to the try that it belongs to. */
  attempts: number;
}

/** Up to where an account's messages of a priority were taken, in the order in which they go out. */
export interface Place {
  priority: number;
  accountId: AccountId;
  /** As PostgreSQL writes it. */
  due: string;
  id: MessageId;
}

export interface Claim {
  laneId: number;
  holder: string;
  limit: number;
  /** Only those that go before others; every one if not given. */
  maxPriority?: number | undefined;
}

/** More accounts than these take their turn with the next claim. */
const MOST_ACCOUNTS = 100;
const ANY_PRIORITY = 32_767;

const DUE = sql`coalesce(not_before, created_at)`;

const isWaiting = (laneId: number) => sql`lane_id = ${laneId} and status = 'PENDING' and unknown_since is null
  and claimed_by is null and (expires_at is null or expires_at > now()) and ${DUE} <= now()`;

/** Takes what `shares` names of each account, the lowest priority first. */
const takingShares = ({ laneId, holder, limit }: Claim, beyond: RawBuilder<unknown>) => sql<Claimed>`
    picked as (
      select taken.id, taken.created_at from shares cross join lateral (
        select id, created_at from messages
        where ${isWaiting(laneId)} and priority = shares.priority and messages.account_id = shares.account_id ${beyond}
        order by ${DUE}, messages.id limit shares.share for update skip locked
      ) taken order by shares.priority limit ${limit}
    )
    update messages m set claimed_by = ${holder}, claimed_at = now(), attempts = m.attempts + 1
    from picked
    where m.id = picked.id and m.created_at = picked.created_at
      and exists (select from lanes where id = ${laneId} and leased_by = ${holder} and leased_until > now())
    returning m.id, m.created_at::text as "createdAt", m.account_id as "accountId",
      coalesce(m.not_before, m.created_at)::text as due,
      m.recipient as "to", m.sender as "from", m.message as text, m.subject, m.html, m.content, m.priority,
      m.attempts`;

const share = (limit: number) =>
  sql`greatest(1, ceil(${limit}::numeric / count(*) over (partition by priority)))::int as share`;

const inOrder = (claimed: Claimed[]): Claimed[] =>
  claimed.sort((a, b) => a.priority - b.priority || compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * Takes what goes out next, for whoever holds the lane. It first finds which accounts have something waiting by
 * leaping through the index from one to the next, then takes an equal share of each, the lowest priority first.
 */
export const claimMessages = async (db: Db, claim: Claim): Promise<Claimed[]> => {
  const { laneId, limit, maxPriority = ANY_PRIORITY } = claim;
  const waiting = sql`${isWaiting(laneId)} and priority <= ${maxPriority}`;
  const { rows } = await byIndexes(db, (trx) =>
    sql<Claimed>`${prepared('claim-messages')}
    with recursive heads as (
      (select priority, account_id, 1 as place from messages where ${waiting}
        order by priority, account_id limit 1)
      union all
      select next.priority, next.account_id, heads.place + 1 from heads cross join lateral (
        select priority, account_id from messages
        where ${waiting} and (priority, account_id) > (heads.priority, heads.account_id)
        order by priority, account_id limit 1
      ) next where heads.place < ${MOST_ACCOUNTS}
    ), shares as (
      select priority, account_id, ${share(limit)} from heads
    ), ${takingShares(claim, sql``)}`.execute(trx),
  );
  return inOrder(rows);
};

/**
 * The same for accounts that are known to have something waiting, beyond what was taken of them: what lies before
 * in the index, in hand or gone already, is not looked at again.
 */
export const claimBeyond = async (db: Db, claim: Claim, places: Place[]): Promise<Claimed[]> => {
  const { rows } = await byIndexes(db, (trx) =>
    sql<Claimed>`${prepared('claim-beyond')}
    with shares as (
      select *, ${share(claim.limit)}
      from unnest(${places.map(({ priority }) => priority)}::smallint[],
        ${places.map(({ accountId }) => accountId)}::uuid[],
        ${places.map(({ due }) => due)}::timestamptz[], ${places.map(({ id }) => id)}::uuid[]
      ) as given (priority, account_id, due, id)
    ), ${takingShares(claim, sql`and (${DUE}, messages.id) > (shares.due, shares.id)`)}`.execute(trx),
  );
  return inOrder(rows);
};

/** Puts back what was certainly not handed over, as if it had not been claimed. */
export const putBack = async (db: Db, holder: string, messages: Claimed[]): Promise<void> => {
  await sql`
    update messages m set claimed_by = null, claimed_at = null, unknown_since = null, attempts = m.attempts - 1
    from unnest(${messages.map(({ id }) => id)}::uuid[],
      ${messages.map(({ createdAt }) => createdAt)}::timestamptz[],
      ${messages.map(({ attempts }) => attempts)}::smallint[]) as given (id, created_at, attempts)
    where m.id = given.id and m.created_at = given.created_at and m.attempts = given.attempts
      and m.claimed_by = ${holder} and m.status = 'PENDING'`.execute(db);
};

/**
 * Puts back what a claim took without its answer reaching us, as when the connection broke at its commit: ours
 * by the table, but not in our hand.
 */
export const putBackStrays = async (
  db: Db,
  { laneId, holder, inHand }: { laneId: number; holder: string; inHand: MessageId[] },
): Promise<void> => {
  await sql`update messages set claimed_by = null, claimed_at = null, attempts = attempts - 1
    where lane_id = ${laneId} and status = 'PENDING' and claimed_by = ${holder} and unknown_since is null
      and id <> all(${inHand}::uuid[])`.execute(db);
};

/** What the lane's former holders left in hand when they died may have gone out or not. */
export const markUnknown = async (db: Db, { laneId, holder }: { laneId: number; holder: string }) => {
  const { numAffectedRows } = await sql`
    update messages set unknown_since = now(), reason = 'The worker ended before the carrier answered.'
    where lane_id = ${laneId} and status = 'PENDING' and claimed_by is not null and claimed_by <> ${holder}
      and unknown_since is null`.execute(db);
  return Number(numAffectedRows ?? 0n);
};

/** The same for lanes that nobody serves any more. */
export const markUnknownOfIdleLanes = async (db: Db): Promise<void> => {
  await sql`
    update messages m set unknown_since = now(), reason = 'The worker ended before the carrier answered.'
    from lanes l
    where m.lane_id = l.id and (l.leased_by is null or l.leased_until < now() - interval '1 minute')
      and m.status = 'PENDING' and m.claimed_by is not null and m.unknown_since is null
      and m.claimed_at < now() - interval '1 minute'`.execute(db);
};

/** Nobody told what became of them: an admin is to look. */
export const failUnknown = async (db: Db, afterMs: number): Promise<Happening[]> => {
  const { rows } = await sql<Omit<Happening, 'event'>>`
    update messages set status = 'FAILED_WITH_EXCEPTION', error_code = ${UNKNOWN_OUTCOME}, updated_at = now()
    where status = 'PENDING' and claimed_by is not null
      and unknown_since <= now() - ${afterMs} * interval '1 ms'
    returning id, account_id as "accountId", created_at::text as "createdAt"`.execute(db);
  return rows.map((row) => ({ event: 'failed', ...row }));
};

/** What is to be written of a message that was handed over. */
export interface Result {
  message: Claimed;
  status: MessageStatus;
  providerMessageId: string | null;
  reason: string;
  code: string;
  at: Date;
  /** Put back until then. */
  notBefore: Date | null;
  unknown: boolean;
}

/** A message that ended as FAILED and may be due a refund. */
export interface Failed {
  id: MessageId;
  accountId: AccountId;
  batchId: BatchId | null;
  channel: Channel;
  priceMicros: bigint;
}

/** A message with what it is after a write. */
export interface Written extends Failed {
  status: MessageStatus;
}

/** Why it was put off is kept for its timeline; where none of many was, the column is not even named. */
const NOTING_TRIES = sql`, tries = case when r.not_before is null then m.tries
  else coalesce(m.tries, '[]') || jsonb_build_object('at', to_timestamp(r.at / 1000), 'lane', m.lane_id,
    'code', r.code, 'reason', r.reason) end`;

/**
 * Writes what the carrier said, once: the second time the message is no longer in this hand, or at this try.
 * ('Not distinct from' where 'equal' would do keeps PostgreSQL from reading all that is in hand for each write.)
 */
export const writeResults = async (db: Db, holder: string, results: Result[]): Promise<Written[]> => {
  const putOff = results.some(({ notBefore }) => notBefore !== null);
  const { rows } = await sql<Written>`
    update messages m set status = r.status, reason = r.reason, error_code = r.code, updated_at = now(),
      provider_message_id = coalesce(r.provider_message_id, m.provider_message_id),
      sent_at = case when r.status = 'SUCCESS' then to_timestamp(r.at / 1000) end,
      not_before = r.not_before,
      claimed_by = case when r.not_before is null then m.claimed_by end,
      claimed_at = case when r.not_before is null then m.claimed_at end,
      unknown_since = case when r.unknown then now() end ${putOff ? NOTING_TRIES : sql``}
    from unnest(${column(
      'uuid',
      results.map(({ message }) => message.id),
    )},
      ${column(
        'timestamptz',
        results.map(({ message }) => message.createdAt),
      )},
      ${column(
        'smallint',
        results.map(({ message }) => message.attempts),
      )},
      ${column(
        'text',
        results.map(({ status }) => status),
      )},
      ${column(
        'text',
        results.map(({ providerMessageId }) => providerMessageId),
      )},
      ${column(
        'text',
        results.map(({ reason }) => reason),
      )}, ${column(
        'text',
        results.map(({ code }) => code),
      )},
      ${column(
        'float8',
        results.map(({ at }) => at.getTime()),
      )}, ${column(
        'timestamptz',
        results.map(({ notBefore }) => notBefore),
      )},
      ${column(
        'boolean',
        results.map(({ unknown }) => unknown),
      )}
    ) as r (id, created_at, attempts, status, provider_message_id, reason, code, at, not_before, unknown)
    where m.id = r.id and m.created_at = r.created_at and m.attempts = r.attempts
      and m.claimed_by is not distinct from ${holder}::uuid
      and (m.status = 'PENDING' or (m.status = 'FAILED_WITH_EXCEPTION' and m.error_code = ${UNKNOWN_OUTCOME}
        and r.status <> 'PENDING'))
    returning m.id, m.status, m.account_id as "accountId", m.batch_id as "batchId", m.channel,
      m.price_micros as "priceMicros"`.execute(db);
  return rows;
};

export interface Paid {
  batchId: BatchId;
  captureId: bigint;
}

/** Which ledger entries paid for these batches; none for those that cost nothing. */
export const findCaptures = async (db: Db, batchIds: BatchId[]): Promise<Paid[]> => {
  const { rows } = await sql<Paid>`
    select id as "batchId", capture_id as "captureId" from batches
    where id = any(${batchIds}::uuid[]) and capture_id is not null`.execute(db);
  return rows;
};

import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { AnswerFault, EventId, EventState, EventType } from '../../contract/webhooks.ts';
import type { Db } from '../postgres/index.ts';

/** Accounts with due events whose endpoint nobody serves; the index is skipped through from account to account. */
export const findDueAccounts = async (db: Db, limit: number): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountId: AccountId }>`
    with recursive heads as (
      (select account_id from webhook_events where next_at is not null order by account_id limit 1)
      union all
      select next.account_id from heads cross join lateral (
        select account_id from webhook_events
        where next_at is not null and account_id > heads.account_id order by account_id limit 1
      ) next
    )
    select e.account_id as "accountId" from heads join webhook_endpoints e on e.account_id = heads.account_id
    where e.url <> '' and e.gone_at is null and (e.paused_until is null or e.paused_until <= now())
      and (e.leased_by is null or e.leased_until < clock_timestamp())
      and exists (select from webhook_events v where v.account_id = e.account_id and v.next_at <= now())
    order by random() limit ${limit}`.execute(db);
  return rows.map(({ accountId }) => accountId);
};

/** An event as it is sent. */
export interface DueEvent {
  id: EventId;
  type: EventType;
  data: object;
  createdAt: Date;
  /** The series of attempts that it is in, as PostgreSQL writes it, and how long the series has lasted. */
  begunAt: string;
  ageMs: number;
  /** Attempts before this one. */
  attempts: number;
  /** As PostgreSQL writes it, to the microsecond: the next page starts after it. */
  place: string;
}

/** What is due for an account, in order of time, after the given place and not in flight. */
export const readDueEvents = async (
  db: Db,
  query: { accountId: AccountId; after: DueEvent | undefined; isClaimed: EventId[]; limit: number },
): Promise<DueEvent[]> => {
  const { accountId, after, isClaimed, limit } = query;
  const { rows } = await sql<DueEvent>`
    select id, type, data, created_at as "createdAt", begun_at::text as "begunAt",
      (extract(epoch from clock_timestamp() - begun_at) * 1000)::float8 as "ageMs", attempts, next_at::text as place
    from webhook_events
    where account_id = ${accountId} and next_at <= now() and id <> all(${isClaimed}::uuid[])
      ${after ? sql`and (next_at, id) > (${after.place}::timestamptz, ${after.id}::uuid)` : sql``}
    order by next_at, id limit ${limit}`.execute(db);
  return rows;
};

/** The outcome of one attempt. */
export interface Outcome {
  id: EventId;
  state: EventState;
  nextAt: Date | null;
  at: Date;
  status: number | null;
  fault: AnswerFault | '';
  body: string;
  milliseconds: number;
  /** The series of attempts that it belongs to: a replay meanwhile has started another. */
  begunAt: string;
}

export const writeOutcomes = async (db: Db, outcomes: Outcome[]): Promise<void> => {
  await sql`
    update webhook_events v set attempts = v.attempts + 1, attempted_at = r.at, answer_status = r.status,
      answer_fault = r.fault, answer_body = r.body, answer_ms = r.ms,
      state = case when v.begun_at = r.begun_at or r.state = 'DELIVERED' then r.state else v.state end,
      next_at = case when v.begun_at = r.begun_at or r.state = 'DELIVERED' then r.next_at else v.next_at end
    from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map(({ state }) => state)}::text[],
      ${outcomes.map(({ nextAt }) => nextAt)}::timestamptz[], ${outcomes.map(({ at }) => at)}::timestamptz[],
      ${outcomes.map(({ status }) => status)}::int[], ${outcomes.map(({ fault }) => fault)}::text[],
      ${outcomes.map(({ body }) => body)}::text[], ${outcomes.map(({ milliseconds }) => milliseconds)}::int[],
      ${outcomes.map(({ begunAt }) => begunAt)}::timestamptz[]
    ) as r (id, state, next_at, at, status, fault, body, ms, begun_at)
    where v.id = r.id`.execute(db);
};

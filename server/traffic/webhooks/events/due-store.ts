import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { leaveChunks } from './chunk-store.ts';
import type { DueChunk, DueEvent, EventOutcome } from './due-event.ts';

/** Accounts with something that waits; the index is skipped through from account to account. */
const waitingIn = (table: 'webhook_events' | 'webhook_chunks') => sql`(
  with recursive heads as (
    (select account_id from ${sql.table(table)} where next_at is not null order by account_id limit 1)
    union all
    select next.account_id from heads cross join lateral (
      select account_id from ${sql.table(table)}
      where next_at is not null and account_id > heads.account_id order by account_id limit 1
    ) next
  )
  select account_id from heads where exists (
    select from ${sql.table(table)} v where v.account_id = heads.account_id and v.next_at <= now()))`;

/** Accounts with due events whose endpoint nobody serves. */
export const findDueAccounts = async (db: Db, limit: number): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountId: AccountId }>`
    select e.account_id as "accountId" from webhook_endpoints e
    join (${waitingIn('webhook_events')} union ${waitingIn('webhook_chunks')}) due on due.account_id = e.account_id
    where e.url <> '' and e.gone_at is null and (e.paused_until is null or e.paused_until <= now())
      and (e.leased_by is null or e.leased_until < clock_timestamp())
    order by random() limit ${limit}`.execute(db);
  return rows.map(({ accountId }) => accountId);
};

/** Which of these accounts have due events. */
export const findDueOf = async (db: Db, accountIds: AccountId[]): Promise<AccountId[]> => {
  const { rows } = await sql<{ accountId: AccountId }>`
    select account_id as "accountId" from unnest(${accountIds}::uuid[]) as given (account_id)
    where exists (select from webhook_chunks c where c.account_id = given.account_id and c.next_at <= now())
      or exists (select from webhook_events v where v.account_id = given.account_id and v.next_at <= now())`.execute(
    db,
  );
  return rows.map(({ accountId }) => accountId);
};

/** What is due for an account of the events with a row of their own, in order of time. */
export const readDueEvents = async (
  db: Db,
  { accountId, claimed, limit }: { accountId: AccountId; claimed: EventId[]; limit: number },
): Promise<DueEvent[]> => {
  const { rows } = await sql<DueEvent>`
    select id, type, message_id as "messageId", data::text, created_at as "createdAt", begun_at::text as "begunAt",
      (extract(epoch from clock_timestamp() - begun_at) * 1000)::float8 as "ageMs", attempts,
      case when state = 'RETRYING' then next_at::text end as "failedCall",
      (select max(next_at) from webhook_events earlier where earlier.message_id = v.message_id
        and earlier.account_id = v.account_id and earlier.next_at > v.next_at and earlier.id < v.id) as "heldUntil"
    from webhook_events v
    where account_id = ${accountId} and next_at <= now() and id <> all(${claimed}::uuid[])
    order by next_at, id limit ${limit}`.execute(db);
  return rows;
};

const columnsOf = (outcomes: EventOutcome[]) => {
  const of = <T>(value: (outcome: EventOutcome) => T): T[] => outcomes.map(value);
  return sql`unnest(${of(({ event }) => event.id)}::uuid[], ${of(({ event }) => event.begunAt)}::timestamptz[],
    ${of(({ state }) => state)}::text[], ${of(({ nextAt }) => nextAt)}::timestamptz[],
    ${of(({ answer }) => answer?.at ?? null)}::timestamptz[], ${of(({ answer }) => answer?.status ?? null)}::int[],
    ${of(({ answer }) => answer?.fault ?? '')}::text[], ${of(({ answer }) => answer?.body ?? '')}::text[],
    ${of(({ answer }) => answer?.milliseconds ?? null)}::int[]`;
};
const COLUMNS = sql`id, begun_at, state, next_at, at, status, fault, body, ms`;

/** A replay meanwhile has started another series of attempts: only a delivery counts for that too. */
export const storeEventOutcomes = async (db: Db, outcomes: EventOutcome[]): Promise<void> => {
  await sql`
    update webhook_events v set attempts = v.attempts + case when r.at is null then 0 else 1 end,
      attempted_at = coalesce(r.at, v.attempted_at),
      answer_status = case when r.at is null then v.answer_status else r.status end,
      answer_fault = case when r.at is null then v.answer_fault else r.fault end,
      answer_body = case when r.at is null then v.answer_body else r.body end, answer_ms = coalesce(r.ms, v.answer_ms),
      state = case when v.begun_at = r.begun_at or r.state = 'DELIVERED' then r.state else v.state end,
      next_at = case when v.begun_at = r.begun_at or r.state = 'DELIVERED' then r.next_at else v.next_at end
    from ${columnsOf(outcomes)}) as r (${COLUMNS})
    where v.id = r.id`.execute(db);
};

/** The same for events of chunks: each leaves its chunk. One that was replayed alone meanwhile has left it already. */
export const writeLeaving = async (
  db: Db,
  outcomes: (EventOutcome & { event: { chunk: DueChunk } })[],
): Promise<void> => {
  await sql`
    insert into webhook_events (id, account_id, type, message_id, data, state, attempts, next_at, begun_at,
      attempted_at, answer_status, answer_fault, answer_body, answer_ms, created_at)
    select r.id, r.account_id, r.type, r.message_id, r.data::json, r.state,
      r.attempts + case when r.at is null then 0 else 1 end, r.next_at, r.begun_at, r.at, r.status, r.fault, r.body,
      r.ms, r.created_at
    from ${columnsOf(outcomes)}, ${outcomes.map(({ event }) => event.chunk.accountId)}::uuid[],
      ${outcomes.map(({ event }) => event.type)}::text[],
      ${outcomes.map(({ event }) => event.messageId)}::uuid[], ${outcomes.map(({ event }) => event.data)}::text[],
      ${outcomes.map(({ event }) => event.attempts)}::int[],
      ${outcomes.map(({ event }) => event.createdAt)}::timestamptz[]
    ) as r (${COLUMNS}, account_id, type, message_id, data, attempts, created_at)
    on conflict (id) do nothing`.execute(db);
  await leaveChunks(
    db,
    outcomes.map(({ event }) => ({ id: event.id, chunkId: event.chunk.id })),
  );
};

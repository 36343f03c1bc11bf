import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import type { AnswerFault, EventFilter, EventId, EventState, EventType } from '../../contract/webhooks.ts';
import { joinGivenMessages, type OutboxEvent } from '../outbox/index.ts';
import type { Db } from '../postgres/index.ts';
import { WEBHOOKS_CHANNEL } from './endpoint-store.ts';

const waking = sql`select pg_notify(${WEBHOOKS_CHANNEL}, 'event ' || account_id)
  from (select distinct account_id from made) accounts`;

/**
 * Records events for subscribers, with the messages as they are in this transaction. For an incoming message the other
 * party is its sender, and the event contains its text, because nobody else has it.
 */
export const insertEvents = async (db: Db, events: OutboxEvent[]): Promise<void> => {
  await sql`
    with made as (
      insert into webhook_events (account_id, type, message_id, data)
      select m.account_id, 'message.' || given.event, m.id, json_build_object(
        '_id', m.id, 'batchId', m.batch_id, 'channel', m.channel, 'type', m.type,
        'phone', case when m.type = 'incoming' then m.sender else m.recipient end,
        'fromPhone', case when m.type = 'incoming' then m.recipient else m.sender end,
        'status', m.status, 'reason', m.reason, 'errorCode', m.error_code, 'segments', m.segment,
        'price', trim_scale(m.price_micros / 1000000.0), 'currency', 'USD', 'test', m.test,
        'providerMessageId', m.provider_message_id, 'message', case when m.type = 'incoming' then m.message end,
        'content', case when m.type = 'incoming' then m.content end,
        'createdAt', webhook_time(m.created_at), 'sentAt', webhook_time(m.sent_at),
        'deliveredAt', webhook_time(m.delivered_at), 'readAt', webhook_time(m.read_at))
      from unnest(${events.map(({ id }) => id)}::uuid[],
        ${events.map(({ createdAt }) => createdAt ?? null)}::timestamptz[],
        ${events.map(({ event }) => event)}::text[]) as given (id, created_at, event)
      ${joinGivenMessages}
      join webhook_endpoints e on e.account_id = m.account_id and e.url <> ''
      returning account_id
    ) ${waking}`.execute(db);
};

export const insertTestEvent = async (db: Db, accountId: AccountId, data: object): Promise<EventId> => {
  const { rows } = await sql<{ id: EventId }>`
    with made as (
      insert into webhook_events (account_id, type, data)
      values (${accountId}, 'webhook.test', ${JSON.stringify(data)}::json) returning id, account_id
    ), woken as (${waking}) select id from made, woken`.execute(db);
  return (rows[0] as { id: EventId }).id;
};

export interface EventRow {
  id: EventId;
  type: EventType;
  messageId: MessageId | null;
  state: EventState;
  attempts: number;
  createdAt: Date;
  attemptedAt: Date | null;
  nextAt: Date | null;
  answerStatus: number | null;
  answerFault: AnswerFault | '';
  answerBody: string;
  answerMs: number | null;
}

const COLUMNS = sql`id, type, message_id as "messageId", state, attempts, created_at as "createdAt",
  attempted_at as "attemptedAt", next_at as "nextAt", answer_status as "answerStatus",
  answer_fault as "answerFault", answer_body as "answerBody", answer_ms as "answerMs"`;

interface EventQuery extends EventFilter {
  accountId: AccountId;
  timeZone: string;
  /** Only older ones than this. */
  before?: EventId | undefined;
  /** This one and older ones. */
  newest?: EventId | undefined;
}

/** Days are spans of ids, so that an old day is found as fast as a new one. */
const matching = (query: EventQuery) => {
  const { accountId, timeZone, before, newest, type, state, messageId, dateFrom, dateTo } = query;
  const firstOf = (day: string, plusDays: number) =>
    sql`webhook_first_event_id((${day}::date + ${plusDays}::int)::timestamp at time zone ${timeZone})`;
  return sql.join(
    [
      sql`account_id = ${accountId}`,
      ...(before ? [sql`id < ${before}`] : []),
      ...(newest ? [sql`id <= ${newest}`] : []),
      ...(type ? [sql`type = ${type}`] : []),
      ...(state ? [sql`state = ${state}`] : []),
      ...(messageId ? [sql`message_id = ${messageId}`] : []),
      ...(dateFrom ? [sql`id >= ${firstOf(dateFrom, 0)}`] : []),
      ...(dateTo ? [sql`id < ${firstOf(dateTo, 1)}`] : []),
    ],
    sql` and `,
  );
};

/** Newest first. */
export const listEvents = async (db: Db, query: EventQuery, limit: number): Promise<EventRow[]> => {
  const { rows } = await sql<EventRow>`
    select ${COLUMNS} from webhook_events where ${matching(query)} order by id desc limit ${limit}`.execute(
    db,
  );
  return rows;
};

/** The events of a message, oldest first; a message has only a few. */
export const listEventsOf = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
  limit: number,
): Promise<EventRow[]> => {
  const { rows } = await sql<EventRow>`
    select ${COLUMNS} from webhook_events where message_id = ${messageId} and account_id = ${accountId}
    order by id limit ${limit}`.execute(db);
  return rows;
};

export const findEvent = async (
  db: Db,
  { accountId, eventId }: { accountId: AccountId; eventId: EventId },
): Promise<(EventRow & { data: object }) | undefined> => {
  const { rows } = await sql<EventRow & { data: object }>`
    select ${COLUMNS}, data from webhook_events where id = ${eventId} and account_id = ${accountId}`.execute(
    db,
  );
  return rows[0];
};

/** How many events would be replayed, counted up to the limit. */
export const countReplayable = async (db: Db, query: EventQuery, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from webhook_events
      where ${matching(query)} and state <> 'WAITING' limit ${limit}) found`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Replays the next events; returns the last one seen, for the next call. */
export const replayEvents = async (
  db: Db,
  query: EventQuery,
  limit: number,
): Promise<EventId | undefined> => {
  const { rows } = await sql<{ last: EventId | null }>`
    with picked as (
      select id from webhook_events where ${matching(query)} and state <> 'WAITING'
      order by id desc limit ${limit}
    ), made as (
      update webhook_events v set state = 'WAITING', attempts = 0, next_at = now(), begun_at = now()
      from picked where v.id = picked.id returning v.account_id
    ), woken as (${waking})
    select (select min(id::text) from picked)::uuid as last, (select count(*) from woken)`.execute(db);
  return rows[0]?.last ?? undefined;
};

/** Whether it existed. */
export const replayEvent = async (
  db: Db,
  { accountId, eventId }: { accountId: AccountId; eventId: EventId },
): Promise<boolean> => {
  const { rows } = await sql`
    with made as (
      update webhook_events set state = 'WAITING', attempts = 0, next_at = now(), begun_at = now()
      where id = ${eventId} and account_id = ${accountId} returning account_id
    ) ${waking}`.execute(db);
  return rows.length > 0;
};

const AT_ONCE = 5_000;

/** In pieces, so that nobody waits for a lock. */
export const removeOldEvents = async (db: Db, afterDays: number): Promise<void> => {
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from webhook_events where id in (
        select id from webhook_events
        where id < webhook_first_event_id(now() - ${afterDays} * interval '1 day') limit ${AT_ONCE})`.execute(
      db,
    );
    if (Number(numAffectedRows ?? 0n) < AT_ONCE) return;
  }
};

/** Events whose time ran out while nobody could send them: the endpoint was gone, paused or not set. */
export const parkOverdue = async (db: Db, afterHours: number): Promise<void> => {
  for (;;) {
    const { numAffectedRows } = await sql`
      update webhook_events set state = 'PARKED', next_at = null where id in (
        select id from webhook_events
        where next_at is not null and begun_at < now() - ${afterHours} * interval '1 hour'
        limit ${AT_ONCE})`.execute(db);
    if (Number(numAffectedRows ?? 0n) < AT_ONCE) return;
  }
};

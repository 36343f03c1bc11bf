import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type {
  AnswerFault,
  EventFilter,
  EventId,
  EventState,
  EventType,
} from '../../../../contract/traffic/webhooks.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { createdAtOf, joinGivenMessages } from '../../outbox/index.ts';
import { eventData } from './event-data-store.ts';

export const insertTestEvent = async (db: Db, accountId: AccountId, data: object): Promise<EventId> => {
  const { rows } = await sql<{ id: EventId }>`
    insert into webhook_events (account_id, type, data)
    values (${accountId}, 'webhook.test', ${JSON.stringify(data)}::json)
    returning id, webhook_wake(account_id)`.execute(db);
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

export interface EventQuery extends EventFilter {
  accountId: AccountId;
  timeZone: string;
  /** Only older ones than this. */
  before?: EventId | undefined;
}

/** Chunks that may contain events of a message. */
const ofMessage = (messageId: MessageId) => sql`
  first_at > ${createdAtOf(messageId)} - interval '1 hour' and first_at <= ${createdAtOf(messageId)}
  and last_at >= ${createdAtOf(messageId)} and ${messageId} = any(message_ids)`;

/**
 * Conditions that hold for events of their own and for chunks alike. Days are spans of ids, so that an old day is found
 * as fast as a new one.
 */
const matching = (
  table: 'webhook_events' | 'webhook_chunks',
  { accountId, timeZone, type, state, messageId, dateFrom, dateTo }: EventQuery,
): RawBuilder<unknown> => {
  const firstOf = (day: string, plusDays: number) =>
    sql`webhook_first_event_id((${day}::date + ${plusDays}::int)::timestamp at time zone ${timeZone})`;
  const isChunk = table === 'webhook_chunks';
  return sql.join(
    [
      sql`account_id = ${accountId}`,
      ...(type ? [sql`${isChunk ? sql`webhook_type_of(kind)` : sql`type`} = ${type}`] : []),
      ...(state ? [sql`state = ${state}`] : []),
      ...(messageId ? [isChunk ? ofMessage(messageId) : sql`message_id = ${messageId}`] : []),
      ...(dateFrom ? [sql`id >= ${firstOf(dateFrom, 0)}`] : []),
      ...(dateTo ? [sql`id < ${firstOf(dateTo, 1)}`] : []),
    ],
    sql` and `,
  );
};
export const eventsMatching = (query: EventQuery): RawBuilder<unknown> => matching('webhook_events', query);
export const chunksMatching = (query: EventQuery): RawBuilder<unknown> => matching('webhook_chunks', query);

/** Newest first. Every chunk has an event, so as many chunks as events are enough, and one that `before` is in. */
export const listEvents = async (db: Db, query: EventQuery, limit: number): Promise<EventRow[]> => {
  const { before, messageId } = query;
  const { rows } = await sql<EventRow>`
    select ${COLUMNS} from (
      (select id, type, message_id, state, attempts, created_at, attempted_at, next_at, answer_status, answer_fault,
        answer_body, answer_ms from webhook_events
      where ${eventsMatching(query)} ${before ? sql`and id < ${before}` : sql``} order by id desc limit ${limit})
      union all
      (select webhook_event_at(c.id, place), webhook_type_of(kind), one.id, state, attempts, created_at, attempted_at,
        next_at, answer_status, '', answer_body, answer_ms
      from (select * from webhook_chunks where ${chunksMatching(query)} ${before ? sql`and id < ${before}` : sql``}
        order by id desc limit ${limit + 1}) c
      cross join lateral unnest(message_ids) with ordinality as one (id, place)
      where one.id is not null ${messageId ? sql`and one.id = ${messageId}` : sql``}
        ${before ? sql`and webhook_event_at(c.id, place) < ${before}` : sql``}
      order by c.id desc, place desc limit ${limit})
    ) found order by id desc limit ${limit}`.execute(db);
  return rows;
};

/** The events of a message, oldest first; a message has only a few. */
export const readMessageEvents = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
  limit: number,
): Promise<EventRow[]> => (await listEvents(db, { accountId, messageId, timeZone: 'UTC' }, limit)).reverse();

export const findEvent = async (
  db: Db,
  { accountId, eventId }: { accountId: AccountId; eventId: EventId },
): Promise<(EventRow & { data: string }) | undefined> => {
  const { rows } = await sql<EventRow & { data: string }>`
    select ${COLUMNS}, coalesce((select data::text from webhook_events where id = ${eventId}), (
      select ${eventData} from webhook_chunks c
      cross join lateral unnest(message_ids, message_times) with ordinality as given (id, created_at, place)
      ${joinGivenMessages}
      where c.id = webhook_chunk_of(${eventId}) and webhook_event_at(c.id, place) = ${eventId}), '{}') as data
    from webhook_all_events
    where chunk_id in (${eventId}, webhook_chunk_of(${eventId})) and id = ${eventId} and account_id = ${accountId}`.execute(
    db,
  );
  return rows[0];
};

const AT_ONCE = 5_000;
const TABLES = ['webhook_events', 'webhook_chunks'].map((table) => sql.table(table));

/** In pieces, so that nobody waits for a lock. */
const inPieces = async (piece: () => Promise<{ numAffectedRows?: bigint | undefined }>): Promise<void> => {
  while (Number((await piece()).numAffectedRows ?? 0n) === AT_ONCE);
};

export const removeOldEvents = async (db: Db, afterDays: number): Promise<void> => {
  for (const table of TABLES)
    await inPieces(() =>
      sql`delete from ${table} where id in (
        select id from ${table}
        where id < webhook_first_event_id(now() - ${afterDays} * interval '1 day') limit ${AT_ONCE})`.execute(
        db,
      ),
    );
};

/** Events whose time ran out while nobody could send them: the endpoint was gone, paused or not set. */
export const parkOverdue = async (db: Db, afterHours: number): Promise<void> => {
  for (const table of TABLES)
    await inPieces(() =>
      sql`update ${table} set state = 'PARKED', next_at = null where id in (
        select id from ${table}
        where next_at is not null and begun_at < now() - ${afterHours} * interval '1 hour'
        limit ${AT_ONCE})`.execute(db),
    );
};

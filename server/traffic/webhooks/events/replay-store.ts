import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { joinGivenMessages } from '../../outbox/index.ts';
import { leaveChunks } from './chunk-store.ts';
import { eventData } from './event-data-store.ts';
import { chunksMatching, type EventQuery, eventsMatching, listEvents } from './event-store.ts';

/** In the order in which the events happened, whatever the order in which they are replayed. */
const AFRESH = sql`state = 'WAITING', attempts = 0, next_at = created_at, begun_at = now()`;

interface ReplayQuery extends EventQuery {
  /** This one and older ones. */
  newest: EventId;
}

/** How many events would be replayed, counted up to the limit. */
export const countReplayable = async (db: Db, query: EventQuery, limit: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select least(${limit}, (select count(*) from (select from webhook_events
      where ${eventsMatching(query)} and state <> 'WAITING' limit ${limit}) found)
      + (select coalesce(sum(${query.messageId ? sql`1` : sql`live`}), 0) from (select live from webhook_chunks
        where ${chunksMatching(query)} and state <> 'WAITING' limit ${limit}) found))::int as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
};

/** Gives events of chunks rows of their own, to be sent again. */
const replayApart = async (db: Db, accountId: AccountId, ids: EventId[]): Promise<number> => {
  const { rows } = await sql<{ id: EventId; chunkId: EventId }>`
    insert into webhook_events as v (id, account_id, type, message_id, data, next_at, created_at)
    select webhook_event_at(c.id, place), c.account_id, webhook_type_of(kind), m.id, (${eventData})::json, c.created_at,
      c.created_at
    from unnest(${ids}::uuid[]) as asked (id) join webhook_chunks c on c.id = webhook_chunk_of(asked.id)
    cross join lateral unnest(message_ids, message_times) with ordinality as given (id, created_at, place)
    ${joinGivenMessages}
    where webhook_event_at(c.id, place) = asked.id and c.account_id = ${accountId}
    on conflict (id) do nothing
    returning id, webhook_chunk_of(id) as "chunkId", webhook_wake(account_id)`.execute(db);
  if (rows.length > 0) await leaveChunks(db, rows);
  return rows.length;
};

/** Replays the events of one message that a filter lets through. */
const replayOfMessage = async (trx: Db, query: ReplayQuery, limit: number): Promise<void> => {
  const events = await listEvents(trx, query, limit);
  const ids = events.filter(({ state }) => state !== 'WAITING').map(({ id }) => id);
  await sql`update webhook_events set ${AFRESH} where id = any(${ids}::uuid[])`.execute(trx);
  await replayApart(trx, query.accountId, ids);
};

/** Replays the next rows of a table; returns the last one seen. */
const replayRows = async (
  trx: Db,
  table: 'webhook_events' | 'webhook_chunks',
  { query, after, limit }: { query: ReplayQuery; after: EventId | undefined; limit: number },
): Promise<EventId | undefined> => {
  const { rows } = await sql<{ id: EventId }>`
    with picked as (
      select id from ${sql.table(table)}
      where ${(table === 'webhook_chunks' ? chunksMatching : eventsMatching)(query)} and state <> 'WAITING'
        and id <= ${query.newest} ${after ? sql`and id > ${after}` : sql``}
      order by id limit ${limit}
    )
    update ${sql.table(table)} v set ${AFRESH} from picked where v.id = picked.id
    returning v.id, webhook_wake(v.account_id)`.execute(trx);
  return rows.length < limit ? undefined : rows.map(({ id }) => id).reduce((a, b) => (a > b ? a : b));
};

/** Replays all of them, oldest first and in pieces, so that the events of a message keep their order. */
export const replayEvents = async (
  db: Db,
  query: ReplayQuery,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<void> => {
  if (query.messageId) return db.transaction().execute((trx) => replayOfMessage(trx, query, limit));
  for (const table of ['webhook_events', 'webhook_chunks'] as const) {
    let after: EventId | undefined;
    do {
      signal.throwIfAborted();
      after = await replayRows(db, table, { query, after, limit });
    } while (after);
  }
};

/** Returns whether it existed. */
export const replayEvent = (
  db: Db,
  { accountId, eventId }: { accountId: AccountId; eventId: EventId },
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql`
      update webhook_events set ${AFRESH} where id = ${eventId} and account_id = ${accountId}
      returning webhook_wake(account_id)`.execute(trx);
    return rows.length > 0 || (await replayApart(trx, accountId, [eventId])) > 0;
  });

import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { EventId } from '../../../../contract/traffic/webhooks.ts';
import { column, type Db, prepared, preparedPool } from '../../../ground/postgres/index.ts';
import { joinGivenMessages } from '../../outbox/index.ts';
import type { DueChunk, DueEvent } from './due-event.ts';
import { eventData } from './event-data-store.ts';

const PLACE_AT = '00000000-0000-7000-8000-00000000'.length;
const eventAt = (chunkId: EventId, place: number): EventId =>
  (chunkId.slice(0, PLACE_AT) + place.toString(16).padStart(4, '0')) as EventId;
/** The place of an event in the chunk that it comes from. */
const placeOf = (id: EventId): number => Number.parseInt(id.slice(PLACE_AT), 16);

interface Asked {
  accountId: AccountId;
  /** Chunks and events of their own that are not to be read again. */
  claimed: EventId[];
  /** How many events, in about: chunks are read whole. */
  limit: number;
}
const MOST_CHUNKS = 500;

const pickChunks = async (
  db: Db,
  { accountId, claimed, limit }: Asked,
): Promise<{ chunks: DueChunk[]; more: boolean }> => {
  const { rows } = await sql<DueChunk & { live: number }>`${prepared('due-chunks')}
    select id, account_id as "accountId", webhook_type_of(kind) as type, live, created_at as "createdAt", begun_at::text as "begunAt", attempts,
      (extract(epoch from clock_timestamp() - begun_at) * 1000)::float8 as "ageMs",
      exists (select from webhook_events where account_id = ${accountId} and next_at is not null) as "isRetrying"
    from webhook_chunks
    where account_id = ${accountId} and next_at <= now() and id <> all(${column('uuid', claimed)})
    order by next_at, id limit ${MOST_CHUNKS}`.execute(preparedPool(db));
  let events = 0;
  const end = rows.findIndex(({ live }) => {
    events += live;
    return events >= limit;
  });
  return end === -1
    ? { chunks: rows, more: rows.length === MOST_CHUNKS }
    : { chunks: rows.slice(0, end + 1), more: true };
};

/** The latest retry of an earlier event of the same message: an event waits for it. */
const holding = (claimed: EventId[]) => sql`(
  select max(v.next_at) from webhook_events v where v.message_id = given.id and v.account_id = c.account_id
    and v.next_at is not null and v.id < c.id and v.id <> all(${column('uuid', claimed)}))`;

/** Chunks that are due, oldest first, and their events. A chunk has none if its messages were removed. */
export const readDueChunks = async (
  db: Db,
  asked: Asked,
): Promise<{ chunks: { chunk: DueChunk; events: DueEvent[] }[]; more: boolean }> => {
  const { chunks, more } = await pickChunks(db, asked);
  if (chunks.length === 0) return { chunks: [], more };
  const isRetrying = chunks.some((chunk) => chunk.isRetrying);
  const { rows } = await sql<{
    at: number;
    place: number;
    messageId: MessageId;
    data: string;
    heldUntil: Date | null;
  }>`${prepared('events-of-chunks')}
    select picked.at::int, given.place::int, given.id as "messageId", ${eventData} as data,
      ${isRetrying ? holding(asked.claimed) : sql`null`} as "heldUntil"
    from unnest(${column(
      'uuid',
      chunks.map(({ id }) => id),
    )}) with ordinality as picked (id, at)
    join webhook_chunks c on c.id = picked.id
    cross join lateral unnest(c.message_ids, c.message_times) with ordinality as given (id, created_at, place)
    ${joinGivenMessages}
    order by picked.at, given.place`.execute(preparedPool(db));
  const found = chunks.map((chunk) => ({ chunk, events: [] as DueEvent[] }));
  for (const { at, place, ...event } of rows) {
    const { chunk, events } = found[at - 1] as (typeof found)[number];
    const { type, createdAt, begunAt, ageMs, attempts } = chunk;
    const id = eventAt(chunk.id, place);
    events.push({ ...event, id, type, createdAt, begunAt, ageMs, attempts, failedCall: null, chunk });
  }
  return { chunks: found, more };
};

/** The outcome of a whole chunk: its events were all delivered, or can't be sent any more. */
export interface ChunkOutcome {
  id: EventId;
  state: 'DELIVERED' | 'PARKED';
  at: Date | null;
  status: number | null;
  body: string;
  milliseconds: number | null;
}

export const writeChunkOutcomes = async (db: Db, outcomes: ChunkOutcome[]): Promise<void> => {
  await sql`
    update webhook_chunks c set attempts = c.attempts + 1, state = r.state, next_at = null, attempted_at = r.at,
      answer_status = r.status, answer_body = r.body, answer_ms = r.ms
    from unnest(${outcomes.map(({ id }) => id)}::uuid[], ${outcomes.map(({ state }) => state)}::text[],
      ${outcomes.map(({ at }) => at)}::timestamptz[], ${outcomes.map(({ status }) => status)}::int[],
      ${outcomes.map(({ body }) => body)}::text[], ${outcomes.map(({ milliseconds }) => milliseconds)}::int[]
    ) as r (id, state, at, status, body, ms)
    where c.id = r.id`.execute(db);
};

/** Takes events out of their chunks: each has a row of its own from now on. */
export const leaveChunks = async (db: Db, events: { id: EventId; chunkId: EventId }[]): Promise<void> => {
  // Always in the same order, so that two who do it never wait for each other.
  await sql`
    select webhook_leave_chunk(chunk_id, places) from (
      select chunk_id, array_agg(place) as places from unnest(${events.map(({ chunkId }) => chunkId)}::uuid[],
        ${events.map(({ id }) => placeOf(id))}::bigint[]) as given (chunk_id, place) group by 1 order by 1
    ) leaving`.execute(db);
};

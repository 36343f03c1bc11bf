import { type RawBuilder, sql } from 'kysely';
import { column } from '../../../ground/postgres/index.ts';
import type { OutboxEvent, PublishingRows } from '../../outbox/index.ts';

/** Events of one chunk at most. What a dying process has sent of a chunk is sent again. */
const CHUNK = 100;
/** In the order in which they happen to a message, for those that happen in one statement. */
const KINDS = sql`array['accepted', 'unknown', 'sent', 'failed', 'delivered', 'read', 'inbound']`;

/**
 * Stores events for subscribers in chunks. It reads nothing of the messages, so that one statement may change them and
 * publish that: what an event says is derived when it is sent. Chunks are due at the moment itself, not at that of the
 * transaction: one that began earlier may tell what happened later.
 */
export const storingEvents: PublishingRows = (rows) => sql`
  insert into webhook_chunks (id, account_id, kind, message_ids, message_times, live, first_at, last_at, next_at)
  select webhook_chunk_id((row_number() over (order by array_position(${KINDS}, kind), min(number)))::int),
    account_id, kind, array_agg(id order by number), array_agg(created_at order by number), count(*),
    min(created_at), max(created_at), clock_timestamp()
  from (
    select *, (row_number() over (partition by account_id, kind, hour order by number) - 1) / ${CHUNK}::int as part
    from (
      select given.account_id, given.kind, given.id, given.created_at, row_number() over () as number,
        date_trunc('hour', given.created_at) as hour
      from ${rows} given join webhook_endpoints e on e.account_id = given.account_id and e.url <> ''
    ) numbered
  ) parted
  group by account_id, kind, hour, part
  returning webhook_wake(account_id)`;

export const givenEvents = (events: OutboxEvent[]): RawBuilder<unknown> => sql`(
  select account_id, id, coalesce(created_at, now()) as created_at, kind from unnest(
    ${column(
      'uuid',
      events.map(({ accountId }) => accountId),
    )}, ${column(
      'uuid',
      events.map(({ id }) => id),
    )}, ${column(
      'timestamptz',
      events.map(({ createdAt }) => createdAt ?? null),
    )}, ${column(
      'text',
      events.map(({ event, unknown }) => (unknown ? 'unknown' : event)),
    )}) as given (account_id, id, created_at, kind))`;

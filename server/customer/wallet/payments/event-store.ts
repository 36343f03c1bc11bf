import { type Generated, sql } from 'kysely';
import type { Db } from '../../../ground/postgres/index.ts';
import type { CardProcessor, ProcessorEvent } from '../card-processor.ts';

interface EventsTable {
  processor: CardProcessor['name'];
  event_id: string;
  event: string;
  received_at: Generated<Date>;
  processed_at: Date | null;
}
type Tables = { processor_events: EventsTable };
const tables = (db: Db) => db.withTables<Tables>();

/** JSON has no bigint. */
const MINOR = ['refundedMinor', 'disputedMinor'];
const asText = (event: ProcessorEvent): string =>
  JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value));
const fromJson = (event: unknown): ProcessorEvent =>
  JSON.parse(JSON.stringify(event), (key, value) => (MINOR.includes(key) ? BigInt(value) : value));

interface EventKey {
  processor: CardProcessor['name'];
  eventId: string;
}

/** Whether it has to be processed: a repeat of a processed event has not. */
export const keepEvent = async (
  db: Db,
  { processor, event }: { processor: CardProcessor['name']; event: ProcessorEvent },
): Promise<boolean> => {
  await tables(db)
    .insertInto('processor_events')
    .values({ processor, event_id: event.eventId, event: asText(event), processed_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await tables(db)
    .selectFrom('processor_events')
    .select('processed_at as processedAt')
    .where('processor', '=', processor)
    .where('event_id', '=', event.eventId)
    .executeTakeFirst();
  return kept?.processedAt === null;
};

export const markProcessed = async (db: Db, { processor, eventId }: EventKey): Promise<void> => {
  await tables(db)
    .updateTable('processor_events')
    .set({ processed_at: sql<Date>`now()` })
    .where('processor', '=', processor)
    .where('event_id', '=', eventId)
    .execute();
};

/** Events that waited for a week: what they wait for will not come. They are marked as done. */
export const dropOldEvents = async (db: Db): Promise<string[]> => {
  const dropped = await tables(db)
    .updateTable('processor_events')
    .set({ processed_at: sql<Date>`now()` })
    .where('processed_at', 'is', null)
    .where('received_at', '<=', sql<Date>`now() - interval '7 days'`)
    .returning('event_id as eventId')
    .execute();
  return dropped.map(({ eventId }) => eventId);
};

/** Providers repeat an event for days at most, so events that were processed long ago can be removed. */
export const pruneEvents = async (db: Db): Promise<void> => {
  await tables(db)
    .deleteFrom('processor_events')
    .where('processed_at', '<', sql<Date>`now() - interval '60 days'`)
    .execute();
};

/** What the provider told of a payment, oldest first, for as long as it is kept. */
export const listPaymentEvents = (
  db: Db,
  { id, chargeRef, processor }: { id: string; chargeRef: string | null; processor: CardProcessor['name'] },
) =>
  tables(db)
    .selectFrom('processor_events')
    .select([
      'event_id as eventId',
      sql<ProcessorEvent['kind']>`event->>'kind'`.as('kind'),
      'received_at as receivedAt',
      'processed_at as processedAt',
    ])
    .where('processor', '=', processor)
    .where(
      chargeRef === null
        ? sql<boolean>`event->>'paymentId' = ${id}`
        : sql<boolean>`(event->>'paymentId' = ${id} or event->>'chargeRef' = ${chargeRef})`,
    )
    .orderBy('received_at')
    .execute();

/** Events that wait for another one. */
export const listWaitingEvents = async (
  db: Db,
  processor: CardProcessor['name'],
): Promise<ProcessorEvent[]> => {
  const rows = await tables(db)
    .selectFrom('processor_events')
    .select('event')
    .where('processor', '=', processor)
    .where('processed_at', 'is', null)
    .orderBy('received_at')
    .limit(500)
    .execute();
  return rows.map(({ event }) => fromJson(event));
};

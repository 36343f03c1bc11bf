import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { MessageContent } from '../../contract/message-content.ts';
import type { BatchId, Channel, MessageId } from '../../contract/messages.ts';
import type { EntryId } from '../../contract/wallet.ts';
import { column, type Db, prepared, storableJson } from '../postgres/index.ts';

export type BatchKind = 'API' | 'CSV';

/** When to send a message, and when it is too late. */
export interface Schedule {
  at: Date;
  until: Date;
}

/** What the messages of a batch share. */
export interface BatchFacts {
  id: BatchId;
  accountId: AccountId;
  channel: Channel;
  kind: BatchKind;
  test: boolean;
  schedule: Schedule | undefined;
  /** Sent from the pages. */
  byPage?: true | undefined;
}

interface NewBatch extends BatchFacts {
  captureId: EntryId | null;
  accepted: number;
  totalMicros: bigint;
}

export interface NewMessage {
  id: MessageId;
  recipientRaw: string;
  recipient: string;
  country: string;
  sender: string | null;
  message: string;
  subject: string | null;
  html: string | null;
  /** Content besides its text. */
  content: MessageContent | null;
  segments: number;
  priceMicros: bigint;
  /** None before its time. */
  laneId: number | null;
  batchId: BatchId;
}

const insertingBatches = (batches: NewBatch[]) => sql`
    insert into batches (id, account_id, channel, kind, test, capture_id, accepted, total_micros,
      scheduled_at, by_page)
    select * from unnest(${batches.map(({ id }) => id)}::uuid[],
      ${batches.map(({ accountId }) => accountId)}::uuid[], ${batches.map(({ channel }) => channel)}::text[],
      ${batches.map(({ kind }) => kind)}::text[], ${batches.map(({ test }) => test)}::boolean[],
      ${batches.map(({ captureId }) => captureId)}::bigint[],
      ${batches.map(({ accepted }) => accepted)}::int[],
      ${batches.map(({ totalMicros }) => totalMicros)}::bigint[],
      ${batches.map(({ schedule }) => schedule?.at)}::timestamptz[],
      ${batches.map(({ byPage }) => byPage ?? false)}::boolean[])`;

/** Batches whose ledger entries are the rows of the CTE `captured`, by account. */
export const insertingPaidBatches = (
  batches: Omit<NewBatch, 'captureId' | 'schedule'>[],
): RawBuilder<unknown> => sql`
  insert into batches (id, account_id, channel, kind, test, by_page, capture_id, accepted, total_micros)
  select b.id, b.account_id, b.channel, b.kind, b.test, b.by_page, captured.entry_id, b.accepted, b.total
  from unnest(${batches.map(({ id }) => id)}::uuid[],
    ${batches.map(({ accountId }) => accountId)}::uuid[], ${batches.map(({ channel }) => channel)}::text[],
    ${batches.map(({ kind }) => kind)}::text[], ${batches.map(({ test }) => test)}::boolean[],
    ${batches.map(({ byPage }) => byPage ?? false)}::boolean[],
    ${batches.map(({ accepted }) => accepted)}::int[],
    ${batches.map(({ totalMicros }) => totalMicros)}::bigint[]
  ) as b (id, account_id, channel, kind, test, by_page, accepted, total)
  join captured on captured.account_id = b.account_id`;

/** Singles are sent before files. */
export const insertingMessages = (batches: BatchFacts[], messages: NewMessage[]) => {
  // Most messages are only text: a column that is not named costs nothing.
  const rich = messages.some(({ content }) => content !== null);
  const ifRich = (part: RawBuilder<unknown>) => (rich ? part : sql``);
  const of = (type: Parameters<typeof column>[0], key: keyof NewMessage) =>
    column(
      type,
      messages.map((message) => message[key]),
    );
  return sql`
    insert into messages (id, account_id, batch_id, lane_id, channel, type, status, recipient_raw, recipient,
      country, sender, message, subject, html, segment, price_micros, test, priority, scheduled_at, expires_at,
      created_at, updated_at${ifRich(sql`, content`)})
    select m.id, b.account_id, b.id, m.lane_id, b.channel, 'outgoing', 'PENDING', m.recipient_raw, m.recipient,
      m.country, m.sender, m.message, m.subject, m.html, m.segment, m.price_micros, b.test,
      case b.kind when 'API' then 0 else 1 end, b.scheduled_at, b.expires_at, now(), now()${ifRich(sql`, m.content`)}
    from unnest(${of('uuid', 'id')}, ${of('uuid', 'batchId')}, ${of('int', 'laneId')}, ${of('text', 'recipientRaw')},
      ${of('text', 'recipient')}, ${of('text', 'country')}, ${of('text', 'sender')}, ${of('text', 'message')},
      ${of('text', 'subject')}, ${of('text', 'html')}, ${of('int', 'segments')}, ${of('bigint', 'priceMicros')}${ifRich(
        sql`, ${messages.map(({ content }) => content && storableJson(content))}::jsonb[]`,
      )}
    ) as m (id, batch_id, lane_id, recipient_raw, recipient, country, sender, message, subject, html, segment,
      price_micros${ifRich(sql`, content`)})
    join unnest(${batches.map(({ id }) => id)}::uuid[], ${batches.map(({ accountId }) => accountId)}::uuid[],
      ${batches.map(({ channel }) => channel)}::text[], ${batches.map(({ kind }) => kind)}::text[],
      ${batches.map(({ test }) => test)}::boolean[], ${batches.map(({ schedule }) => schedule?.at)}::timestamptz[],
      ${batches.map(({ schedule }) => schedule?.until)}::timestamptz[]
    ) as b (id, account_id, channel, kind, test, scheduled_at, expires_at) on b.id = m.batch_id`;
};

export const insertBatch = async (db: Db, batch: NewBatch): Promise<void> => {
  await insertingBatches([batch]).execute(db);
};

const OWN = [
  ['id', 'uuid', 'id'],
  ['recipient_raw', 'text', 'recipientRaw'],
  ['recipient', 'text', 'recipient'],
  ['country', 'text', 'country'],
  ['sender', 'text', 'sender'],
  ['message', 'text', 'message'],
  ['subject', 'text', 'subject'],
  ['html', 'text', 'html'],
  ['segment', 'int', 'segments'],
  ['price_micros', 'bigint', 'priceMicros'],
] as const;

/** Many of one batch and lane, with only text: shared values are sent once, and unused columns not at all. */
const insertingAlike = (batch: BatchFacts, laneId: number | null, messages: NewMessage[]) => {
  const { id, accountId, channel, kind, test, schedule } = batch;
  const common: [string, RawBuilder<unknown>][] = [
    ['account_id', sql`${accountId}::uuid`],
    ['batch_id', sql`${id}::uuid`],
    ['lane_id', sql`${laneId}::int`],
    ['channel', sql`${channel}::text`],
    ['type', sql`'outgoing'`],
    ['status', sql`'PENDING'`],
    ['test', sql`${test}::boolean`],
    ['priority', sql`${kind === 'API' ? 0 : 1}::int`],
    ['scheduled_at', sql`${schedule?.at}::timestamptz`],
    ['expires_at', sql`${schedule?.until}::timestamptz`],
    ['created_at', sql`now()`],
    ['updated_at', sql`now()`],
  ];
  const own: [string, RawBuilder<unknown>][] = [];
  for (const [name, type, key] of OWN) {
    const values = messages.map((message) => message[key]);
    const [first] = values;
    if (name === 'id' || values.some((value) => value !== first)) own.push([name, column(type, values)]);
    else if (first !== null && first !== undefined) common.push([name, sql`${first}::${sql.raw(type)}`]);
  }
  const names = (parts: [string, unknown][]) => sql.join(parts.map(([name]) => sql.ref(name)));
  const values = (parts: [string, RawBuilder<unknown>][]) => sql.join(parts.map(([, value]) => value));
  return sql`insert into messages (${names(own)}, ${names(common)})
    select ${names(own)}, ${values(common)} from unnest(${values(own)}) as own (${names(own)})`;
};

/**
 * Within the transaction that creates their batch: both have its time. The statement is prepared immediately, which
 * takes a while, and runs when it is called.
 */
export const storingMessages = (
  db: Db,
  batch: BatchFacts,
  messages: NewMessage[],
): (() => Promise<unknown>) => {
  const laneId = messages[0]?.laneId ?? null;
  const alike = messages.every((message) => message.laneId === laneId && message.content === null);
  const inserting = alike ? insertingAlike(batch, laneId, messages) : insertingMessages([batch], messages);
  const statement = sql`${prepared('insert-messages')} ${inserting}`.compile(db);
  return () => db.executeQuery(statement);
};

interface Insertion<Row> {
  batches: NewBatch[];
  messages: NewMessage[];
  /** A query that runs in the same statement. */
  alongside: RawBuilder<Row> | undefined;
}

/** All in one statement: thousands of single messages are accepted every second. */
export const insertWithBatches = async <Row>(
  db: Db,
  { batches, messages, alongside }: Insertion<Row>,
): Promise<Row[]> => {
  const { rows } = await sql<Row>`
    with made as (${insertingBatches(batches)}), put as (${insertingMessages(batches, messages)})
    ${alongside ?? sql`select where false`}`.execute(db);
  return rows;
};

/** The lanes for scheduled messages of a channel when they are due. */
export interface Route {
  channel: Channel;
  test: boolean;
  laneId: number;
}

/**
 * Puts messages that are due into their lanes, up to this many chunks, the first due first; returns each one's lane.
 */
export const routeDue = async (db: Db, routes: Route[], chunks: number): Promise<number[]> => {
  const { rows } = await sql<{ laneId: number }>`
    with due as materialized (
      select l.due, l.id, l.priority, l.account_id, l.created_at, l.ids, r.lane_id
      from outbox_chunks l join batches b on b.id = l.batch_id join unnest(${routes.map(({ channel }) => channel)}::text[],
        ${routes.map(({ test }) => test)}::boolean[], ${routes.map(({ laneId }) => laneId)}::int[]
      ) as r (channel, test, lane_id) on b.channel = r.channel and b.test = r.test
      where l.lane_id = 0 and l.due <= now() order by l.due, l.id limit ${chunks} for update of l skip locked
    ), routed as (
      update outbox_chunks l set lane_id = due.lane_id from due where l.lane_id = 0 and l.priority = due.priority
        and l.account_id = due.account_id and l.due = due.due and l.id = due.id
    )
    update messages m set lane_id = due.lane_id, not_before = m.scheduled_at
    from due where m.created_at = due.created_at and m.id = any(due.ids) and m.status = 'PENDING'
    returning m.lane_id as "laneId"`.execute(db);
  return rows.map(({ laneId }) => laneId);
};

export const makePartitions = async (db: Db, monthsAhead: number): Promise<void> => {
  await sql`select messages_make_partitions(${monthsAhead})`.execute(db);
};

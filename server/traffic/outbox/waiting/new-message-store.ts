import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageContent } from '../../../../contract/traffic/message-content.ts';
import type { BatchId, MessageId } from '../../../../contract/traffic/messages.ts';
import { column, type Db, prepared, storableJson } from '../../../ground/postgres/index.ts';

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
  /** Of a CSV file. */
  fileName?: string | undefined;
}

export interface NewBatch extends BatchFacts {
  accepted: number;
  totalMicros: bigint;
}

export interface NewMessage {
  id: MessageId;
  recipientRaw: string;
  recipient: string;
  country: string;
  /** The recipient's network; null if it is not known. */
  carrier: string | null;
  sender: string | null;
  /** The caller's own reference. */
  identifier: string | null;
  message: string;
  subject: string | null;
  html: string | null;
  /** Content besides its text. */
  content: MessageContent | null;
  segments: number;
  priceMicros: bigint;
  /** Null for a scheduled message that is not due yet. */
  laneId: number | null;
  /** Why it got this lane: a code of server/traffic/routing. */
  laneWhy: string | null;
  /** What the operator pays for it. */
  costMicros: bigint;
  batchId: BatchId;
}

/** Of the CTE `accepted`: the accounts that paid, each with its ledger entry. */
export const insertingBatches = (batches: NewBatch[]): RawBuilder<unknown> => sql`
  insert into batches (id, account_id, channel, kind, test, capture_id, accepted, total_micros, scheduled_at,
    by_page, file_name)
  select b.id, b.account_id, b.channel, b.kind, b.test, accepted.entry_id, b.accepted, b.total, b.scheduled_at,
    b.by_page, b.file_name
  from unnest(${batches.map(({ id }) => id)}::uuid[],
    ${batches.map(({ accountId }) => accountId)}::uuid[], ${batches.map(({ channel }) => channel)}::text[],
    ${batches.map(({ kind }) => kind)}::text[], ${batches.map(({ test }) => test)}::boolean[],
    ${batches.map(({ accepted }) => accepted)}::int[], ${batches.map(({ totalMicros }) => totalMicros)}::bigint[],
    ${batches.map(({ schedule }) => schedule?.at)}::timestamptz[],
    ${batches.map(({ byPage }) => byPage ?? false)}::boolean[],
    ${batches.map(({ fileName }) => fileName ?? '')}::text[]
  ) as b (id, account_id, channel, kind, test, accepted, total, scheduled_at, by_page, file_name)
  join accepted on accepted.account_id = b.account_id`;

/** Singles are sent before files. With `accepted`: only those of the accounts in that CTE. */
export const insertingMessages = (
  batches: BatchFacts[],
  messages: NewMessage[],
  options: { accepted: boolean },
): RawBuilder<unknown> => {
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
      country, sender, message, subject, html, segment, price_micros, lane_why, cost_micros, test, priority,
      scheduled_at, expires_at, created_at, updated_at, identifier, carrier${ifRich(sql`, content`)})
    select m.id, b.account_id, b.id, m.lane_id, b.channel, 'outgoing', 'PENDING', m.recipient_raw, m.recipient,
      m.country, m.sender, m.message, m.subject, m.html, m.segment, m.price_micros, m.lane_why, m.cost_micros,
      b.test, case b.kind when 'API' then 0 else 1 end, b.scheduled_at, b.expires_at, now(), now(),
      m.identifier, m.carrier${ifRich(sql`, m.content`)}
    from unnest(${of('uuid', 'id')}, ${of('uuid', 'batchId')}, ${of('int', 'laneId')}, ${of('text', 'recipientRaw')},
      ${of('text', 'recipient')}, ${of('text', 'country')}, ${of('text', 'sender')}, ${of('text', 'message')},
      ${of('text', 'subject')}, ${of('text', 'html')}, ${of('int', 'segments')}, ${of('bigint', 'priceMicros')},
      ${of('text', 'laneWhy')}, ${of('bigint', 'costMicros')}, ${of('text', 'identifier')},
      ${of('text', 'carrier')}${ifRich(
        sql`, ${messages.map(({ content }) => content && storableJson(content))}::jsonb[]`,
      )}
    ) as m (id, batch_id, lane_id, recipient_raw, recipient, country, sender, message, subject, html, segment,
      price_micros, lane_why, cost_micros, identifier, carrier${ifRich(sql`, content`)})
    join unnest(${batches.map(({ id }) => id)}::uuid[], ${batches.map(({ accountId }) => accountId)}::uuid[],
      ${batches.map(({ channel }) => channel)}::text[], ${batches.map(({ kind }) => kind)}::text[],
      ${batches.map(({ test }) => test)}::boolean[], ${batches.map(({ schedule }) => schedule?.at)}::timestamptz[],
      ${batches.map(({ schedule }) => schedule?.until)}::timestamptz[]
    ) as b (id, account_id, channel, kind, test, scheduled_at, expires_at) on b.id = m.batch_id
    ${options.accepted ? sql`join accepted on accepted.account_id = b.account_id` : sql``}`;
};

const OWN = [
  ['id', 'uuid', 'id'],
  ['recipient_raw', 'text', 'recipientRaw'],
  ['recipient', 'text', 'recipient'],
  ['country', 'text', 'country'],
  ['carrier', 'text', 'carrier'],
  ['sender', 'text', 'sender'],
  ['identifier', 'text', 'identifier'],
  ['message', 'text', 'message'],
  ['subject', 'text', 'subject'],
  ['html', 'text', 'html'],
  ['segment', 'int', 'segments'],
  ['price_micros', 'bigint', 'priceMicros'],
  ['lane_id', 'int', 'laneId'],
  ['lane_why', 'text', 'laneWhy'],
  ['cost_micros', 'bigint', 'costMicros'],
] as const;

/** Many of one batch, with only text: shared values are sent once, and unused columns not at all. */
const insertWithSharedColumns = (batch: BatchFacts, messages: NewMessage[]) => {
  const { id, accountId, channel, kind, test, schedule } = batch;
  const common: [string, RawBuilder<unknown>][] = [
    ['account_id', sql`${accountId}::uuid`],
    ['batch_id', sql`${id}::uuid`],
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
  const alike = messages.every(({ content }) => content === null);
  const inserting = alike
    ? insertWithSharedColumns(batch, messages)
    : insertingMessages([batch], messages, { accepted: false });
  const statement = sql`${prepared('insert-messages')} ${inserting}`.compile(db);
  return () => db.executeQuery(statement);
};

export const makePartitions = async (db: Db, monthsAhead: number): Promise<void> => {
  await sql`select messages_make_partitions(${monthsAhead})`.execute(db);
};

/** Adds the new rows to the indexes of rare states, which admins search by. */
export const summarizeMessages = async (db: Db): Promise<void> => {
  await sql`select messages_summarize()`.execute(db);
};

import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageContent } from '../../../../contract/traffic/message-content.ts';
import type { MessageSort } from '../../../../contract/traffic/message-search.ts';
import type { BatchId, MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { SearchedBatch } from '../batch-store.ts';
import type { Countable } from './counts-store.ts';

/** The filters in terms of the tables. */
export interface Search extends Countable {
  id?: MessageId | undefined;
  /** How its id ends, as lists show it: of the chosen days only, for no index has it. */
  idEnd?: string | undefined;
  /** The sender's own reference. */
  identifier?: string | undefined;
  /** The other party: exactly, or as a prefix. A short code is stored as it came, without a country. */
  party?: { text: string; whole: boolean; shortCode?: string } | undefined;
  /** Case is ignored; only the database decides which letters match. */
  text?: string | undefined;
  batch?: SearchedBatch | undefined;
  /** Only what waits for its time. */
  scheduled?: boolean;
  /** Only what was delivered. */
  delivered?: boolean;
  /** Only what was changed since then. */
  updatedSince?: Date;
}

export interface SearchPage {
  sort: MessageSort;
  descending: boolean;
  skip: number;
  limit: number;
}

export interface FoundMessage {
  id: MessageId;
  batchId: BatchId | null;
  accountId: AccountId;
  type: 'incoming' | 'outgoing';
  channel: Channel;
  status: MessageStatus;
  recipient: string;
  sender: string | null;
  message: string;
  subject: string | null;
  segment: number;
  priceMicros: bigint;
  test: boolean;
  identifier: string | null;
  reason: string;
  errorCode: string;
  createdAt: Date;
  updatedAt: Date;
  scheduledAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  readAt: Date | null;
  providerMessageId: string | null;
  content: MessageContent | null;
  carrier: string | null;
  waba: string | null;
  provider: string | null;
  phoneId: string | null;
  phoneName: string | null;
  method: string | null;
  /** The device that it goes or came by, and the first device or phone if it was moved. */
  device: string | null;
  originalDevice: string | null;
  /** What its lane sends from. */
  laneSender: string | null;
  /** When it was first put off because its recipient is new to its device; as JSON has it. */
  newChatAt: string | null;
}

export const PARTY = sql`(case m.type when 'incoming' then m.sender else m.recipient end)`;

const SORT: Record<MessageSort, RawBuilder<unknown>> = {
  createdAt: sql`m.created_at`,
  updatedAt: sql`m.updated_at`,
  _id: sql`m.id`,
  status: sql`m.status`,
  channel: sql`m.channel`,
  type: sql`m.type`,
  phoneNumber: PARTY,
  price: sql`m.price_micros`,
  test: sql`m.test`,
};

/** Of `m` and its lane `l`. */
export const MESSAGE_COLUMNS = sql`m.id, m.batch_id as "batchId", m.account_id as "accountId", m.type, m.channel, m.status,
  m.recipient, m.sender, m.message, m.subject, m.segment, m.price_micros as "priceMicros", m.test, m.identifier, m.reason,
  m.error_code as "errorCode", m.created_at as "createdAt", m.updated_at as "updatedAt",
  m.scheduled_at as "scheduledAt", m.sent_at as "sentAt", m.delivered_at as "deliveredAt", m.read_at as "readAt",
  m.provider_message_id as "providerMessageId", m.content, m.carrier, l.waba, l.provider,
  l.phone_id as "phoneId", l.phone_name as "phoneName", l.method, l.sender as "laneSender",
  case when l.source = 'device' then l.name end as device,
  case when m.route is not null then (select case source when 'device' then name when 'phone' then phone_name end
    from lanes where id = (m.route -> 0 ->> 'from')::int) end as "originalDevice",
  case when m.tries is not null then (select min(tried ->> 'at') from jsonb_array_elements(m.tries) tried
    where tried ->> 'code' = 'DEVICE_NEW_CONTACTS') end as "newChatAt"`;

const and = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(conditions, sql` and `);

const likePrefix = (text: string): string => `${text.replace(/[\\%_]/g, '\\$&')}%`;

const partyIs = ({ text, whole, shortCode }: NonNullable<Search['party']>): RawBuilder<unknown> => {
  if (whole) return sql`${PARTY} = ${text}`;
  const begins = sql`${PARTY} like ${likePrefix(text)}`;
  return shortCode === undefined ? begins : sql`(${begins} or ${PARTY} = ${shortCode})`;
};

const conditionsOf = (search: Search): RawBuilder<unknown>[] => [
  // An id finds its message, whenever it was created.
  ...(search.id
    ? [
        sql`m.id = ${search.id}`,
        ...(search.text === undefined ? [] : [sql`strpos(lower(m.message), lower(${search.text})) > 0`]),
      ]
    : [sql`m.created_at >= ${search.from}`, sql`m.created_at < ${search.to}`]),
  ...(search.batch
    ? [
        sql`m.account_id = ${search.batch.accountId}`,
        sql`m.created_at = ${search.batch.exactly}::timestamptz`,
        sql`m.batch_id = ${search.batch.id}`,
      ]
    : []),
  ...(search.accountId ? [sql`m.account_id = ${search.accountId}`] : []),
  ...(search.idEnd ? [sql`right(m.id::text, ${search.idEnd.length}::int) = ${search.idEnd}`] : []),
  ...(search.identifier ? [sql`m.identifier = ${search.identifier}`] : []),
  ...(search.scheduled ? [sql`m.status = 'PENDING'`, sql`m.scheduled_at > now()`] : []),
  ...(search.delivered ? [sql`m.delivered_at is not null`] : []),
  ...(search.updatedSince ? [sql`m.updated_at >= ${search.updatedSince}`] : []),
  ...(search.status ? [sql`m.status = ${search.status}`] : []),
  ...(search.channel ? [sql`m.channel = ${search.channel}`] : []),
  ...(search.type ? [sql`m.type = ${search.type}`] : []),
  ...(search.countries ? [sql`m.country = any(${search.countries}::text[])`] : []),
  ...(search.laneIds ? [sql`m.lane_id = any(${search.laneIds}::int[])`] : []),
  ...(search.carriers ? [sql`m.carrier = any(${search.carriers}::text[])`] : []),
  ...(search.party ? [partyIs(search.party)] : []),
];

/** Messages with a text, from the copy as far as it reaches and from the messages themselves after that. */
const withText = (search: Search, text: string, done: Date): RawBuilder<unknown> => {
  const owner = search.accountId ? sql`and account_id = ${search.accountId}` : sql``;
  return sql`
    select id, created_at from message_texts
    where created_at >= ${search.from} and created_at < ${search.to < done ? search.to : done} ${owner}
      and strpos(text, lower(${text})) > 0
    union all
    select id, created_at from messages
    where created_at >= ${search.from > done ? search.from : done} and created_at < ${search.to} ${owner}
      and strpos(lower(message), lower(${text})) > 0`;
};

/** Only a text, an account and a time: the copy of the texts has all of it. */
const isText = (search: Search): search is Search & { text: string } => {
  const { text, accountId: _account, from: _from, to: _to, ...others } = search;
  return text !== undefined && Object.values(others).every((other) => !other);
};

const textsOf = (search: Search, text: string, done: Date): RawBuilder<unknown> =>
  sql`(${withText(search, text, done)}) m`;

/** The rows that fit, as `m`. */
const sourceOf = (search: Search, done: Date): RawBuilder<unknown> => {
  const where = and(conditionsOf(search));
  if (search.text !== undefined && !search.id)
    return sql`(select m.* from (${withText(search, search.text, done)}) t
      join messages m on m.id = t.id and m.created_at = t.created_at where ${where}) m`;
  return sql`(select m.* from messages m where ${where}) m`;
};

/** The ids and times of those that match, as `m`: enough to sort them by time. */
export const timesOf = (search: Search, done: Date): RawBuilder<unknown> =>
  isText(search) ? textsOf(search, search.text, done) : sourceOf(search, done);

/** A page, and how many there are in all if they are counted on the way. */
export const readMessages = async (
  db: Db,
  search: Search,
  { sort, descending, skip, limit }: SearchPage,
  { done, count }: { done: Date; count: boolean },
): Promise<{ messages: FoundMessage[]; counted: number }> => {
  const way = descending ? sql`desc` : sql`asc`;
  const order =
    sort === 'createdAt'
      ? sql`m.created_at ${way}, m.id ${way}`
      : sql`${SORT[sort]} ${way}, m.created_at desc, m.id desc`;
  const source = sort === 'createdAt' ? timesOf(search, done) : sourceOf(search, done);
  const { rows } = await sql<FoundMessage & { counted: number }>`
    select ${MESSAGE_COLUMNS}, counted from (
      select m.id, m.created_at, ${count ? sql`count(*) over ()` : sql`0`}::int as counted
      from ${source} order by ${order} limit ${limit} offset ${skip}
    ) page join messages m on m.id = page.id and m.created_at = page.created_at
    left join lanes l on l.id = m.lane_id order by ${order}`.execute(db);
  return { messages: rows, counted: rows[0]?.counted ?? 0 };
};

/** One by one, in the index that fits: for what the counters don't have, and for parts of an hour. */
export const countMessages = async (db: Db, search: Search, done: Date): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${timesOf(search, done)}`.execute(db);
  return rows[0]?.count ?? 0;
};

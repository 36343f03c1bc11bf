import { sql } from 'kysely';
import { type Db, fitsPage, pageBefore } from '../../../ground/postgres/index.ts';
import { type FoundMessage, type Search, timesOf } from './search-store.ts';

/** A message with its times as milliseconds: a million of them are soon read. */
export interface SearchCsvRow
  extends Pick<
    FoundMessage,
    | 'id'
    | 'accountId'
    | 'type'
    | 'channel'
    | 'status'
    | 'recipient'
    | 'sender'
    | 'subject'
    | 'message'
    | 'segment'
    | 'priceMicros'
    | 'test'
    | 'identifier'
    | 'reason'
    | 'errorCode'
    | 'carrier'
    | 'provider'
    | 'providerMessageId'
  > {
  updatedMs: number;
  sentMs: number | null;
  deliveredMs: number | null;
  readMs: number | null;
  /** When it was created, rounded down: rows of the same millisecond are read again. */
  createdMs: number;
  /** The same to the microsecond, which a Date can't hold: the next page begins exactly there. */
  exactly: string;
  /** How many rows the query found: more than the page has where their texts are long. */
  found: number;
}

/** The last row of a page: older rows come after it. */
export type CsvCursor = Pick<SearchCsvRow, 'exactly' | 'id'>;

interface Page {
  /** Only those older than it. */
  before: CsvCursor | undefined;
  limit: number;
  /** How far the copy of the texts reaches. */
  done: Date;
}

/** The newest that match. */
export const readNewest = async (
  db: Db,
  search: Search,
  { before, limit, done }: Page,
): Promise<SearchCsvRow[]> => {
  const older = before
    ? sql`where (m.created_at, m.id) < (${before.exactly}::timestamptz, ${before.id}::uuid)`
    : sql``;
  const ms = (column: 'updated_at' | 'sent_at' | 'delivered_at' | 'read_at') =>
    sql`date_part('epoch', ${sql.ref(`m.${column}`)}) * 1000`;
  const { rows } = await sql<SearchCsvRow>`
    select * from (select m.id, m.account_id as "accountId", m.type, m.channel, m.status, m.recipient, m.subject, m.message,
      case when m.type = 'outgoing' then coalesce(m.sender, nullif(l.sender, '')) else m.sender end as sender,
      m.segment, m.price_micros as "priceMicros", m.test, m.identifier, m.reason, m.error_code as "errorCode",
      ${ms('updated_at')} as "updatedMs", ${ms('sent_at')} as "sentMs", ${ms('delivered_at')} as "deliveredMs",
      ${ms('read_at')} as "readMs", m.carrier, l.provider, m.provider_message_id as "providerMessageId",
      floor(extract(epoch from m.created_at) * 1000)::float8 as "createdMs", m.created_at::text as exactly,
      count(*) over ()::int as found,
      ${pageBefore({ size: sql`octet_length(m.message)`, order: sql`m.created_at desc, m.id desc` })}
    from (
      select m.id, m.created_at from ${timesOf(search, done)} ${older}
      order by m.created_at desc, m.id desc limit ${limit}
    ) page join messages m on m.id = page.id and m.created_at = page.created_at
    left join lanes l on l.id = m.lane_id order by m.created_at desc, m.id desc) paged where ${fitsPage}`.execute(
    db,
  );
  return rows;
};

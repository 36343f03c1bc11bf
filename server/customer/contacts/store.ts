import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { ContactId, ContactPlace } from '../../../contract/customer/contacts.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';

/** An account wrote to somebody or heard from them. */
export interface Meeting {
  accountId: AccountId;
  channel: Channel;
  /** E.164, or an address. */
  recipient: string;
  at: Date;
}

export interface ContactRow {
  id: bigint;
  recipient: string;
  channel: Channel | null;
  name: string;
  notes: string;
  lastMessageAt: Date | null;
}

const COLUMNS = sql`id, recipient, channel, name, notes, last_message_at as "lastMessageAt"`;
/** The text in which a contact is found. The index uses exactly this expression. */
const TEXT = sql`lower(recipient || E'\n' || name)`;
const ACTIVE_AT = sql`coalesce(last_message_at, created_at)`;

/** Creates and refreshes contacts; rows are locked in the same order everywhere. Each may be given once. */
export const writeMeetings = async (db: Db, meetings: Meeting[]): Promise<void> => {
  await sql`
    insert into contacts (account_id, channel, recipient, last_message_at)
    select * from unnest(${meetings.map(({ accountId }) => accountId)}::uuid[],
      ${meetings.map(({ channel }) => channel)}::text[], ${meetings.map(({ recipient }) => recipient)}::text[],
      ${meetings.map(({ at }) => at)}::timestamptz[]) as given (account_id, channel, recipient, at)
    order by account_id, recipient
    on conflict (account_id, recipient) do update
      set channel = excluded.channel, last_message_at = excluded.last_message_at
      where contacts.last_message_at is null or contacts.last_message_at < excluded.last_message_at`.execute(
    db,
  );
};

export interface Entry {
  accountId: AccountId;
  recipient: string;
  /** Empty values keep what is known. */
  name: string;
  notes: string;
}

/** Returns which of them are new. */
export const writeEntries = async (
  db: Db,
  entries: Entry[],
): Promise<(ContactRow & { added: boolean })[]> => {
  const { rows } = await sql<ContactRow & { added: boolean }>`
    insert into contacts (account_id, recipient, name, notes)
    select * from unnest(${entries.map(({ accountId }) => accountId)}::uuid[],
      ${entries.map(({ recipient }) => recipient)}::text[], ${entries.map(({ name }) => name)}::text[],
      ${entries.map(({ notes }) => notes)}::text[]) as given (account_id, recipient, name, notes)
    order by account_id, recipient
    on conflict (account_id, recipient) do update
      set name = coalesce(nullif(excluded.name, ''), contacts.name),
        notes = coalesce(nullif(excluded.notes, ''), contacts.notes)
    returning ${COLUMNS}, xmax = 0 as added`.execute(db);
  return rows;
};

interface Owned {
  accountId: AccountId;
  contactId: ContactId;
}

export const updateContact = async (
  db: Db,
  { accountId, contactId, name, notes }: Owned & { name: string; notes: string },
): Promise<ContactRow | undefined> => {
  const { rows } = await sql<ContactRow>`
    update contacts set name = ${name}, notes = ${notes}
    where account_id = ${accountId} and id = ${contactId}::bigint returning ${COLUMNS}`.execute(db);
  return rows[0];
};

export const deleteContact = async (db: Db, { accountId, contactId }: Owned): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from contacts where account_id = ${accountId} and id = ${contactId}::bigint`.execute(db);
  return numAffectedRows === 1n;
};

/** The index covers parts of this many characters. */
const PART_LENGTH = 3;

/**
 * The account's contacts, or those with the keyword in their number, address or name. Matches from the index are
 * collected first and then sorted: walking the sorted list until enough are found would read most of it for a rare
 * keyword. A keyword that is too short for the index matches many, so walking the list finds it quickly.
 */
const having = (accountId: AccountId, keyword: string | undefined) => {
  if (!keyword) return sql`not materialized (select * from contacts where account_id = ${accountId})`;
  const fits = sql`account_id = ${accountId} and position(lower(${keyword}) in ${TEXT}) > 0`;
  return [...keyword].length < PART_LENGTH
    ? sql`not materialized (select * from contacts where ${fits})`
    : sql`materialized (select * from contacts
        where contact_parts(account_id, ${TEXT}) @> contact_parts(${accountId}::uuid, lower(${keyword}))
          and ${fits})`;
};

interface Page {
  accountId: AccountId;
  keyword?: string | undefined;
  before?: ContactPlace | undefined;
  limit: number;
}

const isBefore = (place: ContactPlace) => {
  const [micros, id] = place.split('_');
  const at = sql`timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`;
  return sql`active_day <= ((${at}) at time zone 'UTC')::date and (${ACTIVE_AT}, id) < (${at}, ${id}::bigint)`;
};

/**
 * Those with the latest message first. The place at which a page ended stays where it is, also if its last contact is
 * deleted or written to meanwhile.
 */
export const listContacts = async (
  db: Db,
  { accountId, keyword, before, limit }: Page,
): Promise<(ContactRow & { place: ContactPlace })[]> => {
  const { rows } = await sql<ContactRow & { place: ContactPlace }>`
    with found as ${having(accountId, keyword)}
    select ${COLUMNS}, (extract(epoch from ${ACTIVE_AT}) * 1000000)::bigint || '_' || id as place
    from found ${before ? sql`where ${isBefore(before)}` : sql``}
    order by active_day desc, ${ACTIVE_AT} desc, id desc limit ${limit}`.execute(db);
  return rows;
};

/**
 * Those after a recipient, in the order of recipients. This order never changes, so reading one page after the other
 * finds every contact once, also if some are deleted or written to meanwhile.
 */
export const listContactsAfter = async (
  db: Db,
  {
    accountId,
    keyword,
    after,
    limit,
  }: Pick<Page, 'accountId' | 'keyword' | 'limit'> & { after: string | undefined },
): Promise<ContactRow[]> => {
  const { rows } = await sql<ContactRow>`
    with found as ${having(accountId, keyword)}
    select ${COLUMNS} from found ${after === undefined ? sql`` : sql`where recipient > ${after}`}
    order by recipient limit ${limit}`.execute(db);
  return rows;
};

/** What accounts call these people; those without a name are left out. */
export const listNames = async (
  db: Db,
  people: Pick<Meeting, 'accountId' | 'recipient'>[],
): Promise<(Pick<Meeting, 'accountId' | 'recipient'> & { name: string })[]> => {
  if (people.length === 0) return [];
  const { rows } = await sql<Pick<Meeting, 'accountId' | 'recipient'> & { name: string }>`
    select c.account_id as "accountId", c.recipient, c.name from (
      select distinct * from unnest(${people.map(({ accountId }) => accountId)}::uuid[],
        ${people.map(({ recipient }) => recipient)}::text[]) as asked (account_id, recipient)
    ) asked join contacts c using (account_id, recipient) where c.name <> ''`.execute(db);
  return rows;
};

const FOUND = 20;
/** A short text matches many contacts: enough are found among the latest, without collecting all others. */
const AMONG = 2_000;

/** A few that match, those with the latest message first. */
export const suggestContacts = async (
  db: Db,
  { accountId, keyword }: { accountId: AccountId; keyword: string },
): Promise<ContactRow[]> => {
  const { rows } = await sql<ContactRow>`
    select ${COLUMNS} from (
      select * from contacts where account_id = ${accountId} order by active_day desc limit ${AMONG}
    ) recent
    where position(lower(${keyword}) in ${TEXT}) > 0
    order by ${ACTIVE_AT} desc, id desc limit ${FOUND}`.execute(db);
  return rows.length === FOUND ? rows : listContacts(db, { accountId, keyword, limit: FOUND });
};

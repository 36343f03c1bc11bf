import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import { type Db, storableJson } from '../../ground/postgres/index.ts';

/** What is kept of a moment; the database adds its number, its time and the hashes. */
export interface NewAuditEntry {
  adminId: AccountId;
  event: 'read' | 'asked' | 'done' | 'refused' | 'failed';
  /** As the contract names it: PUT /admin/lanes/:laneId. */
  call: string;
  accountId: AccountId | null;
  subject: string;
  askedId?: string;
  asked?: unknown;
  before?: unknown;
  after?: unknown;
  address: string;
}

/** Adds entries in their order; returns their ids. */
export const insertEntries = async (db: Db, entries: NewAuditEntry[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    insert into audit_entries (admin_id, event, call, account_id, subject, asked_id, asked, before, after, address)
    select (e->>'adminId')::uuid, e->>'event', e->>'call', (e->>'accountId')::uuid, e->>'subject',
      (e->>'askedId')::bigint, nullif(e->'asked', 'null'), nullif(e->'before', 'null'), nullif(e->'after', 'null'),
      e->>'address'
    from jsonb_array_elements(${storableJson(entries)}::jsonb) with ordinality as given (e, place)
    order by place
    returning id::text`.execute(db);
  return rows.map(({ id }) => id);
};

export interface FoundEntry {
  id: string;
  at: Date;
  adminId: AccountId;
  call: string;
  outcome: 'read' | 'done' | 'refused' | 'failed' | 'open';
  accountId: AccountId | null;
  subject: string;
  asked: unknown;
  before: unknown;
  after: unknown;
  address: string;
  hash: string;
}

export interface EntrySearch {
  adminIds?: AccountId[] | undefined;
  call?: string | undefined;
  subject?: string | undefined;
  accountId?: AccountId | undefined;
  kind?: 'read' | 'write' | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  timeZone: string;
  before?: string | undefined;
  limit: number;
}

const likePattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`;

/** A write is one line: what was asked for, with its end. What it was about may be known only at its end. */
export const searchEntries = async (db: Db, search: EntrySearch): Promise<FoundEntry[]> => {
  const midnight = (day: string, plusDays: number) =>
    sql`((${day}::date + ${plusDays}::int)::timestamp at time zone ${search.timeZone})`;
  const tests: RawBuilder<unknown>[] = [
    search.kind === undefined
      ? sql`e.event in ('read', 'asked')`
      : sql`e.event = ${search.kind === 'read' ? 'read' : 'asked'}`,
  ];
  if (search.adminIds) tests.push(sql`e.admin_id = any(${search.adminIds}::uuid[])`);
  if (search.call) tests.push(sql`e.call ilike ${likePattern(search.call)}`);
  if (search.subject)
    tests.push(sql`(e.subject = ${search.subject} or exists (select from audit_entries s
      where s.asked_id = e.id and s.subject = ${search.subject}))`);
  if (search.accountId)
    tests.push(sql`(e.account_id = ${search.accountId}::uuid or exists (select from audit_entries s
      where s.asked_id = e.id and s.account_id = ${search.accountId}::uuid))`);
  if (search.dateFrom) tests.push(sql`e.at >= ${midnight(search.dateFrom, 0)}`);
  if (search.dateTo) tests.push(sql`e.at < ${midnight(search.dateTo, 1)}`);
  if (search.before) tests.push(sql`e.id < ${search.before}::bigint`);
  const { rows } = await sql<FoundEntry>`
    select e.id::text, e.at, e.admin_id as "adminId", e.call,
      case e.event when 'read' then 'read' else coalesce(ended.event, 'open') end as outcome,
      coalesce(ended.account_id, e.account_id) as "accountId",
      coalesce(nullif(ended.subject, ''), e.subject) as subject, e.asked, ended.before, ended.after, e.address,
      encode(e.hash, 'hex') as hash
    from audit_entries e left join audit_entries ended on ended.asked_id = e.id
    where ${sql.join(tests, sql` and `)} order by e.id desc limit ${search.limit}`.execute(db);
  return rows;
};

/** The ends of one call for an account, newest first. */
export const listEnds = async (
  db: Db,
  { accountId, call, limit }: { accountId: AccountId; call: string; limit: number },
): Promise<{ at: Date; after: unknown }[]> => {
  const { rows } = await sql<{ at: Date; after: unknown }>`
    select at, after from audit_entries
    where account_id = ${accountId} and call = ${call} and event = 'done' order by id desc limit ${limit}`.execute(
    db,
  );
  return rows;
};

export interface Head {
  id: bigint;
  hash: Buffer;
}

export const readHead = async (db: Db): Promise<Head> => {
  const { rows } = await sql<Head>`select last_id as id, hash from audit_head`.execute(db);
  const [head] = rows;
  if (!head) throw new Error('the audit log has no head');
  return head;
};

export interface Link {
  id: bigint;
  previousHash: Buffer;
  hash: Buffer;
  /** What the hash is made of, after the one before. */
  content: string;
}

export const listLinks = async (db: Db, after: bigint, limit: number): Promise<Link[]> => {
  const { rows } = await sql<Link>`
    select e.id, e.previous_hash as "previousHash", e.hash, audit_content(e) as content
    from audit_entries e where e.id > ${after} order by e.id limit ${limit}`.execute(db);
  return rows;
};

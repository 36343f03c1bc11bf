import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { SenderId, SenderKind } from '../../../contract/customer/senders.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';

export interface SenderRow {
  id: SenderId;
  accountId: AccountId;
  channel: Channel;
  kind: SenderKind;
  sender: string;
  given: boolean;
  verifiedAt: Date | null;
  createdAt: Date;
}

type Named = Pick<SenderRow, 'accountId' | 'channel' | 'kind' | 'sender'>;
interface OwnSender {
  accountId: AccountId;
  senderId: SenderId;
}

const COLUMNS = sql`id::text as id, account_id as "accountId", channel, kind, sender, given,
  verified_at as "verifiedAt", created_at as "createdAt"`;

/** A query for the accounts that were given a number or name: it becomes part of another statement. */
export const accountsGiven = (channel: Channel, sender: string): RawBuilder<{ account_id: AccountId }> =>
  sql<{ account_id: AccountId }>`
    select account_id from senders where channel = ${channel} and sender = ${sender} and kind in ('number', 'name')
      and verified_at is not null`;

export const readVerified = async (
  db: Db,
  { accountId, channel }: { accountId: AccountId; channel: Channel },
): Promise<Pick<SenderRow, 'kind' | 'sender'>[]> => {
  const { rows } = await sql<Pick<SenderRow, 'kind' | 'sender'>>`
    select kind, sender from senders
    where account_id = ${accountId} and channel = ${channel} and verified_at is not null`.execute(db);
  return rows;
};

/** The numbers and names for SMS that an account was given. */
export const listDedicatedPhones = async (db: Db, accountId: AccountId): Promise<string[]> => {
  const { rows } = await sql<{ sender: string }>`
    select sender from senders where account_id = ${accountId} and channel = 'sms' and verified_at is not null
    order by id`.execute(db);
  return rows.map(({ sender }) => sender);
};

export const listSendersOf = async (db: Db, accountId: AccountId): Promise<SenderRow[]> => {
  const { rows } = await sql<SenderRow>`
    select ${COLUMNS} from senders where account_id = ${accountId} order by senders.id limit 10000`.execute(
    db,
  );
  return rows;
};

interface Wanted {
  accountId: AccountId | undefined;
  keyword: string | undefined;
  before: SenderId | undefined;
  limit: number;
}

/** Newest first. */
export const listSenders = async (
  db: Db,
  { accountId, keyword, before, limit }: Wanted,
): Promise<SenderRow[]> => {
  const { rows } = await sql<SenderRow>`
    select ${COLUMNS} from senders where true
      ${accountId ? sql`and account_id = ${accountId}` : sql``}
      ${keyword ? sql`and position(lower(${keyword}) in lower(sender)) > 0` : sql``}
      ${before ? sql`and senders.id < ${before}::bigint` : sql``}
    order by senders.id desc limit ${limit}`.execute(db);
  return rows;
};

export const findOwnSender = async (
  db: Db,
  { accountId, senderId }: OwnSender,
): Promise<SenderRow | undefined> => {
  const { rows } = await sql<SenderRow>`
    select ${COLUMNS} from senders
    where account_id = ${accountId} and senders.id = ${senderId}::bigint`.execute(db);
  return rows[0];
};

export const findSender = async (
  db: Db,
  { accountId, channel, kind, sender }: Named,
): Promise<SenderRow | undefined> => {
  const { rows } = await sql<SenderRow>`
    select ${COLUMNS} from senders where account_id = ${accountId} and channel = ${channel} and kind = ${kind}
      and sender = ${sender}`.execute(db);
  return rows[0];
};

export const countOwnSenders = async (db: Db, accountId: AccountId): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from senders where account_id = ${accountId} and not given`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Not verified yet. One that is there stays as it is. */
export const insertOwnSender = async (db: Db, { accountId, channel, kind, sender }: Named): Promise<void> => {
  await sql`insert into senders (account_id, channel, kind, sender, given)
    values (${accountId}, ${channel}, ${kind}, ${sender}, false) on conflict do nothing`.execute(db);
};

/** One that the account has added itself is its own from here on. */
export const insertGivenSender = async (
  db: Db,
  { accountId, channel, kind, sender }: Named,
): Promise<SenderRow> => {
  const { rows } = await sql<SenderRow>`
    insert into senders (account_id, channel, kind, sender, given, verified_at)
    values (${accountId}, ${channel}, ${kind}, ${sender}, true, now())
    on conflict (account_id, channel, kind, sender) do update set given = true,
      verified_at = coalesce(senders.verified_at, now()), code_hash = null
    returning ${COLUMNS}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a sender was not stored');
  return row;
};

export const markVerified = async (trx: Db, senderId: SenderId): Promise<void> => {
  await sql`update senders set verified_at = now(), code_hash = null, code_expires_at = null
    where id = ${senderId}::bigint and verified_at is null`.execute(trx);
};

/** What an admin gave stays. */
export const deleteOwnSender = async (db: Db, { accountId, senderId }: OwnSender): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from senders where account_id = ${accountId} and id = ${senderId}::bigint and not given`.execute(
    db,
  );
  return numAffectedRows === 1n;
};

/** Returns what was removed. */
export const deleteSender = async (db: Db, senderId: SenderId): Promise<SenderRow | undefined> => {
  const { rows } = await sql<SenderRow>`
    delete from senders where id = ${senderId}::bigint returning ${COLUMNS}`.execute(db);
  return rows[0];
};

/** Of an account that sends no more: nobody's replies may wait for it. */
export const removeSendersOf = async (db: Db, accountId: AccountId): Promise<void> => {
  await sql`delete from senders where account_id = ${accountId}`.execute(db);
};

/** Whoever has not proven them by then has to add them again: they may be other people's addresses. */
export const removeUnverified = async (db: Db, days: number): Promise<void> => {
  await sql`delete from senders
    where verified_at is null and created_at < now() - make_interval(days => ${days})`.execute(db);
};

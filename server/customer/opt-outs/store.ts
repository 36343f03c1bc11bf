import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { OptOutFilter, OptOutId, OptOutSource } from '../../../contract/customer/opt-outs.ts';
import type { Channel } from '../../../contract/ground/channels.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { optOutKey } from './opt-out-key.ts';

/** A recipient of an account by a channel. */
export interface Addressee {
  accountId: AccountId;
  channel: Channel;
  /** E.164, or an address. */
  recipient: string;
}

export interface NewOptOut extends Addressee {
  source: OptOutSource;
  note: string;
}

export interface OptOutRow extends NewOptOut {
  id: bigint;
  since: Date;
}

const COLUMNS = sql`id, account_id as "accountId", channel, recipient, since, source, note`;

const columns = (addressees: Addressee[]) => sql`${addressees.map(({ accountId }) => accountId)}::uuid[],
  ${addressees.map(({ channel }) => channel)}::text[],
  ${addressees.map(({ channel, recipient }) => optOutKey(channel, recipient))}::text[]`;

/** Those of the given accounts that have opt-outs. One index look-up for each. */
export const accountsHaving = (accountIds: AccountId[]): RawBuilder<{ id: AccountId }> =>
  sql<{ id: AccountId }>`
    select given.id from unnest(${accountIds}::uuid[]) as given (id)
    cross join lateral (select from opt_outs o where o.account_id = given.id limit 1) any_one`;

/**
 * A condition that becomes part of another statement: the recipient of the message `m` has opted out. As a value, so
 * that it is one index look-up for each message.
 */
export const isOptedOut = sql`(select true from opt_outs o where o.account_id = m.account_id and o.channel = m.channel
  and o.recipient = case m.channel when 'email' then lower(m.recipient) else m.recipient end limit 1)`;

/** The indexes, from 0, of the recipients who have opted out. */
export const findPlaces = async (db: Db, addressees: Addressee[]): Promise<Set<number>> => {
  const { rows } = await sql<{ place: number }>`
    select given.place::int - 1 as place
    from unnest(${columns(addressees)}) with ordinality as given (account_id, channel, recipient, place)
    cross join lateral (
      select from opt_outs o where o.account_id = given.account_id and o.channel = given.channel
        and o.recipient = given.recipient limit 1
    ) found`.execute(db);
  return new Set(rows.map(({ place }) => place));
};

/**
 * Returns those who were not opted out before. Each may be given once; rows are locked in the same order everywhere.
 */
export const insertOptOuts = async (db: Db, optOuts: NewOptOut[]): Promise<OptOutRow[]> => {
  const { rows } = await sql<OptOutRow>`
    insert into opt_outs (account_id, channel, recipient, source, note)
    select * from unnest(${columns(optOuts)}, ${optOuts.map(({ source }) => source)}::text[],
      ${optOuts.map(({ note }) => note)}::text[]) as given (account_id, channel, recipient, source, note)
    order by account_id, channel, recipient
    on conflict do nothing returning ${COLUMNS}`.execute(db);
  return rows;
};

/** Those of one source, or of any. Returns how many were opted out until now. */
export const deleteOptOuts = async (
  db: Db,
  addressees: Addressee[],
  source?: OptOutSource,
): Promise<number> => {
  const { numAffectedRows } = await sql`
    delete from opt_outs o using unnest(${columns(addressees)}) as given (account_id, channel, recipient)
    where o.account_id = given.account_id and o.channel = given.channel and o.recipient = given.recipient
      ${source ? sql`and o.source = ${source}` : sql``}`.execute(db);
  return Number(numAffectedRows ?? 0n);
};

export const deleteOptOut = async (
  db: Db,
  { accountId, optOutId }: { accountId: AccountId; optOutId: OptOutId },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    delete from opt_outs where account_id = ${accountId} and id = ${optOutId}::bigint`.execute(db);
  return numAffectedRows === 1n;
};

export const findOptOut = async (
  db: Db,
  { accountId, channel, recipient }: Addressee,
): Promise<OptOutRow | undefined> => {
  const { rows } = await sql<OptOutRow>`
    select ${COLUMNS} from opt_outs where account_id = ${accountId} and channel = ${channel}
      and recipient = ${optOutKey(channel, recipient)}`.execute(db);
  return rows[0];
};

interface Wanted extends OptOutFilter {
  accountId: AccountId;
}

const fits = ({ accountId, keyword, channel }: Wanted) => sql`account_id = ${accountId}
  ${channel ? sql`and channel = ${channel}` : sql``}
  ${keyword ? sql`and position(lower(${keyword}) in lower(recipient || E'\n' || note)) > 0` : sql``}`;

/** Newest first. */
export const listOptOuts = async (
  db: Db,
  { before, limit, ...wanted }: Wanted & { before?: OptOutId | undefined; limit: number },
): Promise<OptOutRow[]> => {
  const { rows } = await sql<OptOutRow>`
    select ${COLUMNS} from opt_outs where ${fits(wanted)}
      ${before ? sql`and id < ${before}::bigint` : sql``}
    order by id desc limit ${limit}`.execute(db);
  return rows;
};

export const countOptOuts = async (db: Db, wanted: Wanted): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from opt_outs where ${fits(wanted)}`.execute(db);
  return rows[0]?.count ?? 0;
};

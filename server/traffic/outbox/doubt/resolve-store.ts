import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Verdict } from '../../../../contract/traffic/verdicts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { WaitingMessage } from '../moving/transfer-store.ts';
import type { Failed } from '../results/result-store.ts';
import { partingGiven } from '../waiting/chunk-store.ts';

/** A message that an admin is about to resolve; its row is locked. */
export interface Resolvable extends Failed {
  /** As PostgreSQL writes it. */
  createdAt: string;
  status: MessageStatus;
  /** Nobody knows whether it was sent. */
  unknown: boolean;
  test: boolean;
}

/** From here on, locks can be released again before the transaction ends. */
export const beginLocking = async (trx: Db): Promise<() => Promise<void>> => {
  await sql`savepoint locking`.execute(trx);
  return async () => void (await sql`rollback to savepoint locking`.execute(trx));
};

/** Whether any of them is still to be sent, as far as is known. */
export const areAnyPending = async (trx: Db, ids: MessageId[]): Promise<boolean> => {
  const { rows } = await sql`
    select from messages where id = any(${ids}::uuid[]) and status = 'PENDING' and unknown_since is null
      and type = 'outgoing' limit 1`.execute(trx);
  return rows.length > 0;
};

/** Locks these messages, everyone in the same order. */
export const lockResolvable = async (trx: Db, ids: MessageId[]): Promise<Resolvable[]> => {
  const { rows } = await sql<Resolvable>`
    select id, created_at::text as "createdAt", account_id as "accountId", batch_id as "batchId", channel,
      price_micros as "priceMicros", status, unknown_since is not null as unknown, test
    from messages where id = any(${ids}::uuid[]) and type = 'outgoing' order by created_at, id for update`.execute(
    trx,
  );
  return rows;
};

/** Takes messages out of their chunks, which are locked: nobody can claim them any more. */
export const leaveLanes = async (trx: Db, waiting: WaitingMessage[]): Promise<void> => {
  if (waiting.length === 0) return;
  const of = <Key extends keyof WaitingMessage>(key: Key) => waiting.map((one) => one[key]);
  await sql`
    with given as materialized (
      select * from unnest(${of('laneId')}::int[], ${of('priority')}::smallint[], ${of('accountId')}::uuid[],
        ${of('due')}::timestamptz[], ${of('chunkId')}::bigint[], ${of('id')}::uuid[])
        as g (lane_id, priority, account_id, due, id, message_id)
    ), ${partingGiven}
    select count(*) from parted`.execute(trx);
};

export interface Resolution {
  to: Verdict;
  /** The admin. */
  by: AccountId;
  /** Of a failure. */
  reason: string;
  code: string;
}

/**
 * Writes the outcome, and who decided it. Of one in doubt the time of handing it over is the best that is known of
 * when it was sent; if its carrier's id is known, later receipts find it by that.
 */
export const writeResolved = async (
  trx: Db,
  messages: Resolvable[],
  { to, by, reason, code }: Resolution,
): Promise<void> => {
  if (messages.length === 0) return;
  await sql`
    with given as materialized (
      select * from unnest(${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ createdAt }) => createdAt)}::timestamptz[],
        ${messages.map(({ status }) => status)}::text[]) as g (id, created_at, was)
    ), told as (
      insert into resolutions (message_id, was, became, resolved_by, reason, error_code)
      select id, was, ${to}::text, ${by}::uuid, ${reason}::text, ${code}::text from given
    ), named as (
      -- It was resolved as a success before, and a failure since, if it is there.
      insert into carrier_ids (lane_id, provider_message_id, created_at, message_id)
      select m.lane_id, m.provider_message_id, m.created_at, m.id
      from given join messages m on m.id = given.id and m.created_at = given.created_at
      where ${to}::text = 'SUCCESS' and m.unknown_since is not null and m.lane_id is not null
        and m.provider_message_id is not null and not exists (
          select from carrier_ids c where c.lane_id = m.lane_id and c.created_at = m.created_at
            and c.provider_message_id = m.provider_message_id and c.message_id = m.id)
    )
    update messages m set status = ${to}, reason = ${reason}, error_code = ${code}, updated_at = now(),
      decided_from = coalesce(m.decided_from, m.status),
      sent_at = case when ${to}::text = 'SUCCESS' then coalesce(m.sent_at, m.claimed_at) else m.sent_at end
    from given where m.id = given.id and m.created_at = given.created_at`.execute(trx);
};

export interface Resolved {
  at: Date;
  was: MessageStatus;
  became: Verdict;
  by: AccountId;
}

/** What admins decided about a message, oldest first. */
export const listResolutions = async (db: Db, messageId: MessageId): Promise<Resolved[]> => {
  const { rows } = await sql<Resolved>`
    select resolved_at as at, was, became, resolved_by as by from resolutions
    where message_id = ${messageId} order by id`.execute(db);
  return rows;
};

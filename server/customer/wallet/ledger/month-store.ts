import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryKind } from '../../../../contract/customer/wallet.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

interface Span {
  from: Date;
  to: Date;
}

export interface Refunded {
  /** Index of the span. */
  span: number;
  channel: Channel;
  messages: number;
  amountMicros: bigint;
}

const listed = (spans: Span[]) => sql`unnest(${spans.map(({ from }) => from)}::timestamptz[],
  ${spans.map(({ to }) => to)}::timestamptz[]) with ordinality as s (since, until, place)`;

/** What was refunded in each span, less what was charged again, for messages of any time. */
export const sumRefunds = async (db: Db, accountId: AccountId, spans: Span[]): Promise<Refunded[]> => {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return [];
  // The spans are contiguous.
  const { rows } = await sql<Refunded>`
    select width_bucket(created_at, ${spans.map(({ from }) => from)}::timestamptz[]) - 1 as span,
      refund_channel as channel, sum(refund_messages)::int as messages,
      sum(available_micros)::bigint as "amountMicros"
    from ledger_entries
    where account_id = ${accountId} and kind in ('REFUND', 'RECAPTURE') and created_at >= ${first.from} and created_at < ${last.to}
    group by 1, 2`.execute(db);
  return rows;
};

interface Movement {
  kind: EntryKind;
  amountMicros: bigint;
}

/** All other movements of the available balance, by kind; captures are part of the bill. */
export const sumMovements = async (db: Db, accountId: AccountId, { from, to }: Span): Promise<Movement[]> => {
  const { rows } = await sql<Movement>`
    select kind, sum(available_micros)::bigint as "amountMicros" from ledger_entries
    where account_id = ${accountId} and kind <> 'CAPTURE' and created_at >= ${from} and created_at < ${to}
    group by kind`.execute(db);
  return rows;
};

/** The available balance at a moment. */
export const findBalanceAt = async (db: Db, accountId: AccountId, moment: Date): Promise<bigint> => {
  const { rows } = await sql<{ balance: bigint }>`
    select balance_micros as balance from ledger_entries
    where account_id = ${accountId} and created_at < ${moment} order by created_at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0]?.balance ?? 0n;
};

const BATCH = 'batch:';

/** The batches that were paid in a span. */
export const listPaidBatches = async (
  db: Db,
  accountId: AccountId,
  { from, to }: Span,
): Promise<BatchId[]> => {
  const { rows } = await sql<{ id: BatchId }>`
    select substr(cause, ${BATCH.length + 1}::int) as id from ledger_entries
    where account_id = ${accountId} and kind = 'CAPTURE' and created_at >= ${from} and created_at < ${to}
      and starts_with(cause, ${BATCH})`.execute(db);
  return rows.map(({ id }) => id);
};

/** When money first moved other than for messages. */
export const findFirstMovement = async (db: Db, accountId: AccountId): Promise<Date | null> => {
  const { rows } = await sql<{ first: Date | null }>`
    select min(created_at) as first from ledger_entries
    where account_id = ${accountId} and kind <> 'CAPTURE'`.execute(db);
  return rows[0]?.first ?? null;
};

/** The spans in which money moved other than for messages. */
export const findMovedSpans = async (db: Db, accountId: AccountId, spans: Span[]): Promise<number[]> => {
  const { rows } = await sql<{ span: number }>`
    select (place - 1)::int as span from ${listed(spans)} where exists (select from ledger_entries
      where account_id = ${accountId} and kind <> 'CAPTURE' and created_at >= since and created_at < until)`.execute(
    db,
  );
  return rows.map(({ span }) => span);
};

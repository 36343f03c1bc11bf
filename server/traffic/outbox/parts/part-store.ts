import { sql } from 'kysely';
import type { MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { idsOfParts } from '../results/carrier-id-store.ts';
import type { Failed } from '../results/result-store.ts';
import type { MessagePart, PartsVerdict } from './message-parts.ts';

/** A message in parts; its row is locked. */
export interface PartedMessage extends Failed {
  /** As PostgreSQL writes it. */
  createdAt: string;
  status: MessageStatus;
  delivered: boolean;
  parts: MessagePart[];
}

export interface MessageKey {
  id: MessageId;
  /** As PostgreSQL writes it. */
  createdAt: string;
}

/** Locks these messages, everyone in the same order. */
export const lockParted = async (trx: Db, keys: MessageKey[]): Promise<PartedMessage[]> => {
  const { rows } = await sql<PartedMessage>`
    select m.id, m.created_at::text as "createdAt", m.account_id as "accountId", m.batch_id as "batchId", m.channel,
      m.price_micros as "priceMicros", m.status, m.delivered_at is not null as delivered, m.parts
    from messages m
    where (m.id, m.created_at) in (
        select * from unnest(${keys.map(({ id }) => id)}::uuid[], ${keys.map(({ createdAt }) => createdAt)}::timestamptz[]))
      and m.parts is not null
    order by m.created_at, m.id for update`.execute(trx);
  return rows;
};

/** `standing`: the new state of the message; without it the state stays. */
export interface PartsChange extends MessageKey {
  parts: MessagePart[];
  standing: PartsVerdict | undefined;
}

export const writeParts = async (trx: Db, changes: PartsChange[]): Promise<void> => {
  const of = <Value>(value: (change: PartsChange) => Value): Value[] => changes.map(value);
  await sql`
    update messages m set parts = g.parts, updated_at = now(), status = coalesce(g.status, m.status),
      error_code = coalesce(g.code, m.error_code), reason = coalesce(g.reason, m.reason),
      delivered_at = coalesce(m.delivered_at, g.delivered_at),
      decided_from = case when g.status is null then m.decided_from end,
      sent_at = case when g.status = 'SUCCESS' then coalesce(m.sent_at, m.claimed_at, now()) else m.sent_at end
    from unnest(${of(({ id }) => id)}::uuid[], ${of(({ createdAt }) => createdAt)}::timestamptz[],
      ${of(({ parts }) => JSON.stringify(parts))}::jsonb[], ${of(({ standing }) => standing?.status ?? null)}::text[],
      ${of(({ standing }) => standing?.code ?? null)}::text[], ${of(({ standing }) => standing?.reason ?? null)}::text[],
      ${of(({ standing }) => standing?.deliveredAt ?? null)}::timestamptz[])
      as g (id, created_at, parts, status, code, reason, delivered_at)
    where m.id = g.id and m.created_at = g.created_at`.execute(trx);
};

/** Gives each part that has an id its row, if it has none. */
export const nameParts = async (trx: Db, messages: { id: MessageId; createdAt: string }[]): Promise<void> => {
  await sql`
    insert into carrier_ids (lane_id, provider_message_id, created_at, message_id, of_part)
    select * from (${idsOfParts(sql`(
      select m.* from unnest(${messages.map(({ id }) => id)}::uuid[],
        ${messages.map(({ createdAt }) => createdAt)}::timestamptz[]) as g (id, created_at)
      join messages m on m.id = g.id and m.created_at = g.created_at)`)})
      named (lane_id, provider_message_id, created_at, message_id, of_part)
    where not exists (select from carrier_ids c where c.lane_id = named.lane_id
      and c.provider_message_id = named.provider_message_id and c.created_at = named.created_at
      and c.message_id = named.message_id)`.execute(trx);
};

import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { Channel, MessageId } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';
import type { Inbound } from './carrier.ts';

/** Older conversations have ended: an answer that comes later belongs to nobody. */
const CONVERSATION_DAYS = 60;

export type InboundFate = 'stored' | 'repeated' | 'unassigned';

/** Kept for this account, unless it was kept before or belongs to nobody. */
export interface InboundOutcome {
  fate: InboundFate;
  accountId: AccountId | undefined;
  /** Of the message that it was kept as. */
  id: MessageId | undefined;
}

/**
 * Keeps an incoming message for the account that last wrote to its sender on this lane. Carriers repeat what
 * they believe was not acknowledged: the same id on the same lane within two days is the same message.
 */
export const storeInbound = async (
  db: Db,
  { laneId, channel }: { laneId: number; channel: Channel },
  { providerMessageId, from, to, text, at }: Inbound,
): Promise<InboundOutcome> => {
  const { rows } = await sql<{ fate: InboundFate; accountId: AccountId | null; id: MessageId | null }>`
    with owner as (
      select account_id, test, country from messages
      where (case type when 'incoming' then sender else recipient end) = ${from} and status <> 'PENDING'
        and lane_id = ${laneId} and type = 'outgoing' and sent_at is not null
        and created_at > now() - ${CONVERSATION_DAYS} * interval '1 day'
      order by created_at desc limit 1
    ), repeated as (
      select from messages
      where lane_id = ${laneId} and provider_message_id = ${providerMessageId} and provider_message_id <> ''
        and type = 'incoming' and created_at > now() - interval '2 days'
    ), stored as (
      insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country,
        sender, message, test, provider_message_id, sent_at, created_at, updated_at)
      select ${randomUUID()}::uuid, account_id, ${laneId}, ${channel}, 'incoming', 'SUCCESS', ${to}, ${to}, country,
        ${from}, ${text}, test, nullif(${providerMessageId}, ''), ${at}, now(), now()
      from owner where not exists (select from repeated) returning id, account_id
    )
    select case when exists (select from stored) then 'stored'
      when exists (select from repeated) then 'repeated' else 'unassigned' end as fate,
      (select account_id from owner) as "accountId", (select id from stored) as id`.execute(db);
  const fate = rows[0]?.fate ?? 'unassigned';
  if (fate === 'unassigned')
    await sql`insert into unassigned_inbound (lane_id, day, count) values (${laneId}, current_date, 1)
      on conflict (lane_id, day) do update set count = unassigned_inbound.count + 1`.execute(db);
  return { fate, accountId: rows[0]?.accountId ?? undefined, id: rows[0]?.id ?? undefined };
};

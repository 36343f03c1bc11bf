import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { MediaId } from '../../contract/media.ts';
import type { Channel, MessageId } from '../../contract/messages.ts';
import type { Inbound } from '../lanes/index.ts';
import { expectMedia } from '../media/index.ts';
import { type Db, storableJson } from '../postgres/index.ts';
import { noteSession } from './session-store.ts';

/** Older conversations have ended: a later reply belongs to no account. */
const CONVERSATION_DAYS = 60;

type InboundFate = 'stored' | 'repeated' | 'unassigned';

/** Stored for this account, unless it was stored before or belongs to no account. */
interface InboundOutcome {
  fate: InboundFate;
  accountId: AccountId | undefined;
  /** Id of the stored message. */
  id: MessageId | undefined;
  /** Whether it answers a message that was sent with the test secret. */
  free: boolean;
}

/**
 * Stores an incoming message for the account that last wrote to its sender on this lane. Carriers repeat what they
 * believe was not acknowledged: the same id on the same lane is the same message.
 */
export const storeInbound = async (
  db: Db,
  { laneId, channel }: { laneId: number; channel: Channel },
  { providerMessageId, from, to, text, at, content }: Inbound,
): Promise<InboundOutcome> => {
  const id = randomUUID() as MessageId;
  const media = content?.media && { ...content.media, id: randomUUID() as MediaId };
  const { rows } = await sql<{ fate: InboundFate; accountId: AccountId | null; free: boolean }>`
    with owner as (
      select account_id, test, country, test and price_micros = 0 as free from messages
      where (case type when 'incoming' then sender else recipient end) = ${from}
        and lane_id = ${laneId} and type = 'outgoing' and sent_at is not null
        and created_at > now() - ${CONVERSATION_DAYS} * interval '1 day'
      order by created_at desc limit 1
    ), fresh as (
      insert into inbound_ids (lane_id, provider_message_id)
      select ${laneId}, ${providerMessageId} where ${providerMessageId} <> ''
      on conflict do nothing returning lane_id
    ), stored as (
      insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country,
        sender, message, test, provider_message_id, content, sent_at, created_at, updated_at)
      select ${id}::uuid, account_id, ${laneId}, ${channel}, 'incoming', 'SUCCESS', ${to}, ${to}, country,
        ${from}, ${text}, test, nullif(${providerMessageId}, ''),
        ${content ? storableJson({ ...content, ...(media && { media }) }) : null}::jsonb, ${at}, now(), now()
      from owner where ${providerMessageId} = '' or exists (select from fresh) returning account_id, lane_id, provider_message_id, created_at, id
    ), named as (
      insert into carrier_ids select lane_id, provider_message_id, created_at, id from stored
      where provider_message_id is not null
    )
    select case when exists (select from stored) then 'stored'
      when ${providerMessageId} <> '' and not exists (select from fresh) then 'repeated'
      else 'unassigned' end as fate, (select account_id from stored) as "accountId",
      coalesce((select free from owner), false) as free`.execute(db);
  const { fate, accountId, free } = rows[0] ?? { fate: 'unassigned' as const, accountId: null, free: false };
  if (fate === 'unassigned')
    await sql`insert into unassigned_inbound (lane_id, day, count) values (${laneId}, current_date, 1)
      on conflict (lane_id, day) do update set count = unassigned_inbound.count + 1`.execute(db);
  if (accountId === null) return { fate, accountId: undefined, id: undefined, free };
  if (channel === 'whatsapp') await noteSession(db, { accountId, customer: from, laneId, at });
  if (media && content?.media)
    await expectMedia(db, { ...media, accountId, messageId: id, laneId, providerMediaId: content.media.id });
  return { fate, accountId, id, free };
};

/** By then carriers have stopped repeating them: Meta repeats for up to seven days. */
const REPEATED_DAYS = 8;

export const removeOldInboundIds = async (db: Db): Promise<void> => {
  await sql`delete from inbound_ids
    where received_at < now() - make_interval(days => ${REPEATED_DAYS})`.execute(db);
};

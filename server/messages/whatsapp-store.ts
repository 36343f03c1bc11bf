import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { MessageContent } from '../../contract/message-content.ts';
import type { MessageId } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';

/** Beyond that WhatsApp no longer shows what is quoted. */
const QUOTED_DAYS = 60;

interface Quoted {
  accountId: AccountId;
  laneId: number;
  /** Our own id of it, or the carrier's. */
  id?: MessageId;
  carrierId?: string;
}

export const findCarrierId = async (
  db: Db,
  { accountId, laneId, id, carrierId }: Quoted,
): Promise<string | undefined> => {
  const named = sql`(id, created_at) in (select message_id, created_at from carrier_ids where lane_id = ${laneId}
    and provider_message_id = ${(carrierId ?? '').replaceAll('\0', '')})`;
  const { rows } = await sql<{ carrierId: string }>`
    select provider_message_id as "carrierId" from messages
    where ${id ? sql`id = ${id}` : named} and lane_id = ${laneId} and account_id = ${accountId}
      and provider_message_id is not null and created_at > now() - make_interval(days => ${QUOTED_DAYS})
    limit 1`.execute(db);
  return rows[0]?.carrierId;
};

export interface WhatsappRow {
  id: MessageId;
  waMessageId: string | null;
  waba: string;
  content: MessageContent | null;
  readAt: Date | null;
}

export const findWhatsapp = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
): Promise<WhatsappRow | undefined> => {
  const { rows } = await sql<WhatsappRow>`
    select m.id, m.provider_message_id as "waMessageId", coalesce(l.waba, '') as waba, m.content,
      m.read_at as "readAt"
    from messages m left join lanes l on l.id = m.lane_id
    where m.id = ${messageId} and m.account_id = ${accountId} and m.channel = 'whatsapp'`.execute(db);
  return rows[0];
};

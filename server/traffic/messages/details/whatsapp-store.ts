import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageContent } from '../../../../contract/traffic/message-content.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

interface WhatsappRow {
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

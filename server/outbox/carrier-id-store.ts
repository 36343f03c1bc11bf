import { sql } from 'kysely';
import type { AccountId } from '../../contract/accounts.ts';
import type { MessageId } from '../../contract/messages.ts';
import type { Db } from '../postgres/index.ts';

/** Older than that, WhatsApp no longer shows the quoted message. */
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

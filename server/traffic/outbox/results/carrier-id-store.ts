import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** A carrier's id means something only on its lane. */
export interface CarrierKey {
  laneId: number;
  providerMessageId: string;
}

/** Carriers reuse their ids; a receipt belongs to the newest message with its id, and not to an old one. */
export const LATEST_DAYS = 14;

/** The messages `m` that were sent with a carrier's id. */
export const bearing = (
  laneId: RawBuilder<unknown>,
  providerMessageId: RawBuilder<unknown>,
) => sql`carrier_ids c
  join messages m on m.id = c.message_id and m.created_at = c.created_at and m.type = 'outgoing'
  where c.lane_id = ${laneId} and c.provider_message_id = ${providerMessageId}
    and c.created_at > now() - ${LATEST_DAYS} * interval '1 day' and c.created_at <= now()`;

/** The rows of `carrier_ids` of the messages `m` of a relation with their parts: one for each part with an id. */
export const idsOfParts = (relation: RawBuilder<unknown>) => sql`
  select m.lane_id, part.one ->> 'id', m.created_at, m.id, true
  from ${relation} m cross join lateral jsonb_array_elements(m.parts) as part (one)
  where part.one ? 'id'`;

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

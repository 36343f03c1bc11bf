import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EventId, EventState, EventType } from '../../../../contract/traffic/webhooks.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { joinGivenMessages } from '../../outbox/index.ts';
import { eventData } from '../events/event-data-store.ts';

export interface StoredEvent {
  id: EventId;
  type: EventType;
  message_id: string | null;
  state: EventState;
  attempts: number;
  data: Record<string, unknown>;
  answer_status: number | null;
  answer_fault: string;
  next_at: Date | null;
  created_at: Date;
}

/** Every event of an account with its data, oldest first. */
export const allEvents = async (db: Db, accountId: AccountId): Promise<StoredEvent[]> => {
  const { rows } = await sql<StoredEvent>`
    select a.*, coalesce(v.data, d.data::json) as data from webhook_all_events a
    left join webhook_events v on v.id = a.id
    left join (
      select webhook_event_at(c.id, place) as id, ${eventData} as data from webhook_chunks c
      cross join lateral unnest(message_ids, message_times) with ordinality as given (id, created_at, place)
      ${joinGivenMessages}
      where c.account_id = ${accountId}
    ) d on d.id = a.id
    where a.account_id = ${accountId} order by a.id`.execute(db);
  return rows;
};

import { sql } from 'kysely';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** The lanes of messages that go out; nothing of those that are not known or have none. */
export const readLanesOf = async (db: Db, ids: MessageId[]): Promise<Map<MessageId, number>> => {
  const { rows } = await sql<{ id: MessageId; laneId: number }>`
    select id, lane_id as "laneId" from messages
    where id = any(${ids}::uuid[]) and type = 'outgoing' and lane_id is not null`.execute(db);
  return new Map(rows.map(({ id, laneId }) => [id, laneId]));
};

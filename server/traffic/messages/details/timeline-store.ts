import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageStep } from '../../../../contract/traffic/message-details.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { BatchKind, MessagePart } from '../../outbox/index.ts';
import type { LaneReason } from '../../routing/index.ts';
import { type FoundMessage, MESSAGE_COLUMNS } from '../search/search-store.ts';

/** Lanes by their id, times as JSON has them. */
interface Diversion {
  at: string;
  from: number;
  to: number;
  why: (MessageStep & { kind: 'diverted' })['why'];
  code: string;
}

interface Deferral {
  at: string;
  lane: number;
  code: string;
  reason: string;
}

/** A message with everything that is stored about its history. */
export interface MessageHistory extends FoundMessage {
  laneId: number | null;
  /** Why it got its first lane; null before its time. */
  laneWhy: LaneReason | null;
  country: string;
  expiresAt: Date | null;
  unknownSince: Date | null;
  notBefore: Date | null;
  attempts: number;
  isClaimed: boolean;
  route: Diversion[] | null;
  tries: Deferral[] | null;
  parts: Pick<MessagePart, 'state'>[] | null;
  kind: BatchKind | null;
  byPage: boolean | null;
  together: number | null;
  captureId: bigint | null;
}

/** Without an account: of any account. */
export const findHistory = async (
  db: Db,
  { messageId, accountId }: { messageId: MessageId; accountId: AccountId | undefined },
): Promise<MessageHistory | undefined> => {
  const { rows } = await sql<MessageHistory>`
    select ${MESSAGE_COLUMNS}, m.lane_id as "laneId", m.lane_why as "laneWhy", m.country, m.expires_at as "expiresAt",
      m.unknown_since as "unknownSince", m.not_before as "notBefore", m.attempts,
      m.status = 'PENDING' and exists (
        select from claims h cross join unnest(h.ids, h.attempts) as one (id, attempts)
        where h.lane_id = m.lane_id and one.id = m.id and one.attempts = m.attempts) as "isClaimed", m.route, m.tries, m.parts, b.kind, b.by_page as "byPage",
      b.accepted as together, b.capture_id as "captureId"
    from messages m left join lanes l on l.id = m.lane_id left join batches b on b.id = m.batch_id
    where m.id = ${messageId} ${accountId ? sql`and m.account_id = ${accountId}` : sql``}`.execute(db);
  return rows[0];
};

export interface PassedLane {
  id: number;
  name: string;
  carrier: string;
  simulated: boolean;
  /** Whether it can send just now. */
  usable: boolean;
}

export const findLanes = async (db: Db, ids: number[]): Promise<PassedLane[]> => {
  const { rows } = await sql<PassedLane>`
    select id, name, carrier, simulated, mode = 'on' and up is not false as usable
    from lanes where id = any(${ids}::int[])`.execute(db);
  return rows;
};

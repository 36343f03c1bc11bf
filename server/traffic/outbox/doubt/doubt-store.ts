import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { MessageId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

/** Which of the messages in doubt; times are those since when it is unknown. */
export interface DoubtFilter {
  laneId?: number | undefined;
  /** As an ISO text, so that it can be stored with a task. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface DoubtfulMessage {
  id: MessageId;
  accountId: AccountId;
  channel: Channel;
  status: MessageStatus;
  recipient: string;
  lane: string;
  provider: string;
  providerMessageId: string | null;
  createdAt: Date;
  claimedAt: Date | null;
  since: Date;
  attempts: number;
  reason: string;
  priceMicros: bigint;
  askedAt: Date | null;
  answeredAt: Date | null;
  said: string | null;
}

/** Not yet settled by a receipt or an admin. */
const IN_DOUBT = sql`m.unknown_since is not null and m.status in ('PENDING', 'FAILED_WITH_EXCEPTION')`;

const matching = ({ laneId, from, to }: DoubtFilter): RawBuilder<unknown> => sql`${IN_DOUBT}
  ${laneId === undefined ? sql`` : sql`and m.lane_id = ${laneId}`}
  ${from === undefined ? sql`` : sql`and m.unknown_since >= ${from}::timestamptz`}
  ${to === undefined ? sql`` : sql`and m.unknown_since < ${to}::timestamptz`}`;

/** The oldest first. */
export const listInDoubt = async (
  db: Db,
  filter: DoubtFilter,
  { limit, skip }: { limit: number; skip: number },
): Promise<DoubtfulMessage[]> => {
  const { rows } = await sql<DoubtfulMessage>`
    select m.id, m.account_id as "accountId", m.channel, m.status, m.recipient, l.name as lane, l.provider,
      m.provider_message_id as "providerMessageId", m.created_at as "createdAt", m.claimed_at as "claimedAt",
      m.unknown_since as since, m.attempts, m.reason, m.price_micros as "priceMicros", q.asked_at as "askedAt",
      q.answered_at as "answeredAt", q.said
    from messages m join lanes l on l.id = m.lane_id left join carrier_questions q on q.message_id = m.id where ${matching(filter)}
    order by m.unknown_since, m.id limit ${limit} offset ${skip}`.execute(db);
  return rows;
};

export const listIdsInDoubt = async (db: Db, filter: DoubtFilter, limit: number): Promise<MessageId[]> => {
  const { rows } = await sql<{ id: MessageId }>`
    select m.id from messages m where ${matching(filter)} order by m.unknown_since, m.id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

export const countInDoubt = async (db: Db, filter: DoubtFilter): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages m where ${matching(filter)}`.execute(db);
  return rows[0]?.count ?? 0;
};

export interface DoubtfulLane {
  laneId: number;
  name: string;
  provider: string;
  count: number;
  oldest: Date;
}

/** Lanes that have messages in doubt. */
export const listDoubtfulLanes = async (db: Db): Promise<DoubtfulLane[]> => {
  const { rows } = await sql<DoubtfulLane>`
    select l.id as "laneId", l.name, l.provider, count(*)::int as count, min(m.unknown_since) as oldest
    from messages m join lanes l on l.id = m.lane_id where ${IN_DOUBT} group by l.id order by l.name`.execute(
    db,
  );
  return rows;
};

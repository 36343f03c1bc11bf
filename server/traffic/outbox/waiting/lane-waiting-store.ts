import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import { lockWaiting, moveLocked } from '../moving/transfer-store.ts';
import { type ChunkId, SCHEDULED_LANE } from './chunk-store.ts';

/** An account's messages in a lane that only it uses, and those that are scheduled to go out from there. */
interface LaneOfSender {
  accountId: AccountId;
  laneId: number;
  /** What messages name that are for it. */
  sender: string;
}

export interface WaitingOfSender {
  id: MessageId;
  chunkId: ChunkId;
}

const chunksIn = ({ accountId, laneId }: Pick<LaneOfSender, 'accountId' | 'laneId'>) => sql`
  outbox_chunks c where c.lane_id = ${laneId} and c.priority = any('{0,1}') and c.account_id = ${accountId}`;

export const listWaitingIn = async (
  db: Db,
  { accountId, laneId, sender, limit }: LaneOfSender & { limit: number },
): Promise<WaitingOfSender[]> => {
  const messages = (from: number) => sql`
    select m.id, c.id::text as "chunkId" from (select * from ${chunksIn({ accountId, laneId: from })}) c
    cross join unnest(c.ids) as one (id) join messages m on m.id = one.id and m.created_at = c.created_at
    where m.status = 'PENDING'`;
  const { rows } = await sql<WaitingOfSender>`
    (${messages(laneId)} limit ${limit}) union all (${messages(SCHEDULED_LANE)} and m.sender = ${sender} limit ${limit})
    limit ${limit}`.execute(db);
  return rows;
};

export const countWaitingFor = async (
  db: Db,
  { accountId, laneId, sender }: LaneOfSender,
): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select (select coalesce(sum(cardinality(c.ids)), 0) from ${chunksIn({ accountId, laneId })})::int
      + (select count(*) from (select * from ${chunksIn({ accountId, laneId: SCHEDULED_LANE })}) c
        cross join unnest(c.ids) as one (id) join messages m on m.id = one.id and m.created_at = c.created_at
        where m.sender = ${sender})::int as count`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Moves messages to another lane of their account and its sender; returns how many still waited. */
export const moveWaiting = async (
  trx: Db,
  { waiting, to }: { waiting: WaitingOfSender[]; to: { laneId: number; sender: string } },
): Promise<number> => {
  const ids = waiting.map(({ id }) => id);
  const locked = await lockWaiting(trx, ids);
  await moveLocked(
    trx,
    locked.map((one) => ({ waiting: one, to: to.laneId })),
    'TRANSFERRED',
  );
  const { rows } = await sql`
    update messages set sender = ${to.sender} where id = any(${ids}::uuid[]) and status = 'PENDING'
      and sender is distinct from ${to.sender} and (lane_id = ${to.laneId} or lane_id is null) returning id`.execute(
    trx,
  );
  return rows.length;
};

import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { CarrierAnswer, Question } from '../../lanes/index.ts';

/** A question that a worker is to ask the carrier of a lane. */
export interface CarrierQuestion extends Question {
  laneId: number;
  /** The admin. */
  by: AccountId;
}

/** Notes questions about messages in doubt; one that was asked before is asked again. Returns the lanes. */
export const insertQuestions = async (db: Db, ids: MessageId[], by: AccountId): Promise<number[]> => {
  const { rows } = await sql<{ laneId: number }>`
    insert into carrier_questions (message_id, lane_id, asked_by)
    select m.id, m.lane_id, ${by}::uuid from messages m
    where m.id = any(${ids}::uuid[]) and m.unknown_since is not null and m.lane_id is not null
      and m.status in ('PENDING', 'FAILED_WITH_EXCEPTION')
    on conflict (message_id) do update set asked_by = excluded.asked_by, asked_at = now(), taken_at = null,
      answered_at = null, state = null, said = ''
    returning lane_id as "laneId"`.execute(db);
  return rows.map(({ laneId }) => laneId);
};

const AT_ONCE = 50;

/** Takes what is to be asked on these lanes. */
export const takeQuestions = async (db: Db, laneIds: number[]): Promise<CarrierQuestion[]> => {
  const { rows } = await sql<CarrierQuestion>`
    with taken as (
      update carrier_questions q set taken_at = now() where q.message_id in (
        select message_id from carrier_questions
        where answered_at is null and lane_id = any(${laneIds}::int[])
          and (taken_at is null or taken_at < now() - interval '1 minute')
        limit ${AT_ONCE} for update skip locked
      ) returning q.message_id, q.lane_id, q.asked_by
    )
    select m.id, t.lane_id as "laneId", t.asked_by as by, m.recipient, m.sender as "from", m.message as text,
      m.provider_message_id as "providerMessageId", coalesce(m.claimed_at, m.unknown_since, m.created_at) as at
    from taken t join messages m on m.id = t.message_id`.execute(db);
  return rows;
};

export const storeAnswer = async (db: Db, id: MessageId, { state, said }: CarrierAnswer): Promise<void> => {
  await sql`update carrier_questions set answered_at = now(), state = ${state}, said = ${said}
    where message_id = ${id}`.execute(db);
};

/** Nobody asks about these any more. */
export const removeOldQuestions = async (db: Db): Promise<void> => {
  await sql`delete from carrier_questions where asked_at < now() - interval '60 days'`.execute(db);
};

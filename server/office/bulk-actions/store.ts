import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type {
  BULK_ACTIONS,
  BULK_OUTCOMES,
  BULK_STATES,
  BulkActionId,
} from '../../../contract/office/bulk-actions.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Db, storableJson } from '../../ground/postgres/index.ts';
import type { Phrase } from '../../ground/translations/index.ts';
import type { AskedFilter } from '../../traffic/messages/index.ts';
import type { DoubtFilter } from '../../traffic/outbox/doubt/index.ts';

export type BulkOutcome = (typeof BULK_OUTCOMES)[number];
type BulkState = (typeof BULK_STATES)[number];

/** What is to be done. */
export interface BulkRequest {
  action: (typeof BULK_ACTIONS)[number];
  askedBy: AccountId;
  options: { reason: string; errorCode: string; phoneName?: string | undefined; laneId?: number | undefined };
  /** The filters as they were asked for; null for messages that were named. */
  search: { messages: AskedFilter } | { inDoubt: DoubtFilter } | null;
}

export interface BulkActionRow extends BulkRequest {
  id: BulkActionId;
  state: BulkState;
  total: number;
  changed: number;
  unchanged: number;
  refused: number;
  createdAt: Date;
  endedAt: Date | null;
}

const COLUMNS = sql`id::text, action, asked_by as "askedBy", options, search, state, total, changed, unchanged, refused,
  created_at as "createdAt", ended_at as "endedAt"`;

export const insertAction = async (db: Db, request: BulkRequest): Promise<BulkActionRow> => {
  const { rows } = await sql<BulkActionRow>`
    insert into bulk_actions (action, asked_by, options, search, state)
    values (${request.action}, ${request.askedBy}, ${storableJson(request.options)}::jsonb,
      ${request.search && storableJson(request.search)}::jsonb, ${request.search ? 'GATHERING' : 'RUNNING'})
    returning ${COLUMNS}`.execute(db);
  return rows[0] as BulkActionRow;
};

export const findAction = async (db: Db, id: BulkActionId): Promise<BulkActionRow | undefined> => {
  const { rows } = await sql<BulkActionRow>`
    select ${COLUMNS} from bulk_actions where id = ${id}::bigint`.execute(db);
  return rows[0];
};

export const listActions = async (db: Db, limit: number): Promise<BulkActionRow[]> => {
  const { rows } = await sql<BulkActionRow>`
    select ${COLUMNS} from bulk_actions order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
};

/** Adds messages behind those that it has; one that it has already is left out. Returns how many there are now. */
export const addItems = async (db: Db, id: BulkActionId, messageIds: MessageId[]): Promise<number> => {
  await sql`
    insert into bulk_action_items (action_id, place, message_id)
    select ${id}::bigint, b.total + given.place, given.id
    from bulk_actions b cross join unnest(${messageIds}::uuid[]) with ordinality as given (id, place)
    where b.id = ${id}::bigint on conflict do nothing`.execute(db);
  const { rows } = await sql<{ total: number }>`
    update bulk_actions set total = coalesce(
      (select max(place) from bulk_action_items where action_id = ${id}::bigint), 0)
    where id = ${id}::bigint returning total`.execute(db);
  return rows[0]?.total ?? 0;
};

/** All messages of the action are known now and numbered without gaps. */
export const endGathering = async (db: Db, id: BulkActionId): Promise<void> => {
  await sql`
    update bulk_actions set state = 'RUNNING',
      total = (select count(*) from bulk_action_items where action_id = ${id}::bigint)
    where id = ${id}::bigint and state = 'GATHERING'`.execute(db);
};

/** Locks it, so that one process at a time works on it. */
export const lockAction = async (trx: Db, id: BulkActionId): Promise<BulkActionRow | undefined> => {
  const { rows } = await sql<BulkActionRow>`
    select ${COLUMNS} from bulk_actions where id = ${id}::bigint for update`.execute(trx);
  return rows[0];
};

interface Item {
  place: number;
  id: MessageId;
}

export const listOpen = async (trx: Db, id: BulkActionId, limit: number): Promise<Item[]> => {
  const { rows } = await sql<Item>`
    select place, message_id as id from bulk_action_items where action_id = ${id}::bigint and outcome is null
    order by place limit ${limit}`.execute(trx);
  return rows;
};

export interface ItemOutcome {
  id: MessageId;
  outcome: BulkOutcome;
  /** Of a refusal. */
  reason: Phrase | null;
}

/** What became of some; in the transaction that does it. */
export const writeOutcomes = async (trx: Db, id: BulkActionId, outcomes: ItemOutcome[]): Promise<void> => {
  const count = (outcome: BulkOutcome) => outcomes.filter((one) => one.outcome === outcome).length;
  await sql`
    update bulk_action_items i set outcome = given.outcome, reason = given.reason
    from unnest(${outcomes.map((one) => one.id)}::uuid[], ${outcomes.map(({ outcome }) => outcome)}::text[],
      ${outcomes.map(({ reason }) => reason && storableJson(reason))}::jsonb[]) as given (id, outcome, reason)
    where i.action_id = ${id}::bigint and i.message_id = given.id and i.outcome is null`.execute(trx);
  await sql`
    update bulk_actions set changed = changed + ${count('changed')}, unchanged = unchanged + ${count('unchanged')},
      refused = refused + ${count('refused')}
    where id = ${id}::bigint`.execute(trx);
};

export const endAction = async (db: Db, id: BulkActionId, state: 'DONE' | 'STOPPED'): Promise<void> => {
  await sql`update bulk_actions set state = ${state}, ended_at = now()
    where id = ${id}::bigint and state in ('GATHERING', 'RUNNING')`.execute(db);
};

interface ResultPage {
  outcome?: BulkOutcome | undefined;
  after: number;
  limit: number;
}

export const listResults = async (
  db: Db,
  id: BulkActionId,
  { outcome, after, limit }: ResultPage,
): Promise<(Item & ItemOutcome)[]> => {
  const { rows } = await sql<Item & ItemOutcome>`
    select place, message_id as id, outcome, reason from bulk_action_items
    where action_id = ${id}::bigint and place > ${after}
      and ${outcome ? sql`outcome = ${outcome}` : sql`outcome is not null`}
    order by place limit ${limit}`.execute(db);
  return rows;
};

export const removeOld = async (db: Db, days: number): Promise<void> => {
  await sql`delete from bulk_actions where created_at < now() - make_interval(days => ${days})`.execute(db);
};

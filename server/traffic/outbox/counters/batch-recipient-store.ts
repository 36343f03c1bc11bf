import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';

interface BatchRecipient {
  accountId: AccountId;
  channel: Channel;
  recipient: string;
  /** When the message was accepted. */
  at: Date;
}

interface NewBatch {
  id: BatchId;
  accepted: number;
}

/** Messages per call. */
const MOST = 1_000;
/** While a large file is being sent, work that nobody waits for comes later. */
const LARGE_WAITS_SECONDS = 60;

const WAITING = sql`select id, accepted from batches where not contacts_made`;

/**
 * Several small ones, and a large one: neither waits behind the other. A batch that another transaction has locked is skipped.
 */
const takeBatches = async (db: Db): Promise<NewBatch[]> => {
  const { rows } = await sql<NewBatch>`
    with small as (
      ${WAITING} and accepted <= ${MOST} order by created_at limit ${MOST} for update skip locked
    ), large as (
      ${WAITING} and accepted > ${MOST} and created_at < now() - make_interval(secs => ${LARGE_WAITS_SECONDS})
      order by created_at limit 1 for update skip locked
    )
    select * from large union all select * from small`.execute(db);
  let messages = 0;
  const end = rows.findIndex(({ accepted }, at) => {
    messages += Math.min(accepted, MOST);
    return at > 0 && messages > 2 * MOST;
  });
  return end === -1 ? rows : rows.slice(0, end);
};

/**
 * Takes the next recipients of accepted batches, each once, in the given transaction: for the contacts room. A large
 * batch is taken piece by piece.
 */
export const takeBatchRecipients = async (db: Db): Promise<BatchRecipient[]> => {
  const batches = await takeBatches(db);
  if (batches.length === 0) return [];
  const ids = batches.map(({ id }) => id);
  const { rows } = await sql<BatchRecipient & { id: string; batchId: BatchId }>`
    select m.account_id as "accountId", m.channel, m.recipient, m.created_at as "at", m.id,
      b.id as "batchId"
    from batches b cross join lateral (
      select * from messages m
      where m.account_id = b.account_id and m.created_at = b.created_at and m.batch_id = b.id
        and (b.contacts_after is null or m.id > b.contacts_after)
      order by m.account_id, m.created_at, m.id limit ${MOST}
    ) m where b.id = any(${ids}::uuid[]) order by m.id`.execute(db);
  const goesOn = batches.find(({ accepted }) => accepted > MOST);
  const piece = rows.filter(({ batchId }) => batchId === goesOn?.id);
  const last = piece.at(-1);
  const done = piece.length === MOST ? ids.filter((id) => id !== goesOn?.id) : ids;
  if (last && piece.length === MOST)
    await sql`update batches set contacts_after = ${last.id}::uuid where id = ${last.batchId}`.execute(db);
  await sql`update batches set contacts_made = true where id = any(${done}::uuid[])`.execute(db);
  return rows;
};

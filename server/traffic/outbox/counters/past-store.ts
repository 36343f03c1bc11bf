import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { EntryId } from '../../../../contract/customer/wallet.ts';
import type { Channel } from '../../../../contract/ground/channels.ts';
import type { BatchId, MessageStatus } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { NewMessage } from '../waiting/new-message-store.ts';

/** A message of past days, with its outcome. */
export interface PastMessage extends Omit<NewMessage, 'laneId' | 'laneWhy' | 'costMicros' | 'batchId'> {
  status: MessageStatus;
  errorCode: string;
  sentAt: Date;
}

interface PastBatch {
  accountId: AccountId;
  batchId: BatchId;
  channel: Channel;
  laneId: number;
  at: Date;
  messages: PastMessage[];
  fileName: string;
  captureId: EntryId | null;
  amountMicros: bigint;
}

/** An id of that moment, so that ids sort as the messages do. */
export const idAt = (moment: Date): string => {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

export const hasMessages = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const { rows } = await sql`select 1 from messages where account_id = ${accountId} limit 1`.execute(db);
  return rows.length > 0;
};

/** The lane on which the simulators' replies arrive. */
const OWN = 'simulator';
const REPLY_MS = 10 * 60_000;
const replyTime = (at: Date): Date => new Date(at.getTime() + REPLY_MS);

/** One of them answers. */
const insertReply = async (db: Db, { accountId, batchId, at }: PastBatch): Promise<void> => {
  const then = replyTime(at);
  await sql`
    insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, carrier, sender,
      message, test, sent_at, created_at, updated_at)
    select ${idAt(then)}::uuid, account_id, lane_id, channel, 'incoming', 'SUCCESS', ${OWN},
      ${OWN}, country, carrier, recipient, case when message ~ '[a-z]{4}' then 'Thank you!' else '多謝！' end, true,
      ${then}, ${then}, ${then}
    from messages
    where account_id = ${accountId} and batch_id = ${batchId} and created_at = ${at} and status = 'SUCCESS'
      and ${then} < now()
    order by id limit 1`.execute(db);
};

/**
 * Stores messages of past days, and a reply to one of them; returns the moment of the last. Only the demo of a first
 * start has such messages.
 */
export const insertPast = async (db: Db, batch: PastBatch): Promise<Date> => {
  const { accountId, batchId, channel, laneId, at, messages } = batch;
  await sql`select messages_make_partition((${at}::timestamptz at time zone 'UTC')::date)`.execute(db);
  await sql`
    insert into batches (id, account_id, channel, kind, test, capture_id, accepted, total_micros, created_at,
      file_name, by_page)
    values (${batchId}, ${accountId}, ${channel}, 'CSV', true, ${batch.captureId}, ${messages.length},
      ${batch.amountMicros}, ${at}, ${batch.fileName}, true)`.execute(db);
  const of = <K extends keyof PastMessage>(name: K) => messages.map((message) => message[name]);
  await sql`
    insert into messages (id, account_id, batch_id, lane_id, channel, type, status, recipient_raw, recipient, country,
      carrier, message, subject, segment, price_micros, test, priority, provider_message_id, error_code, sent_at, delivered_at,
      created_at, updated_at)
    select m.id, ${accountId}, ${batchId}, ${laneId}, ${channel}, 'outgoing', m.status, m.recipient_raw,
      m.recipient, m.country, m.carrier, m.message, m.subject, m.segment, m.price_micros, true, 1,
      case when m.sent then 'demo-' || right(m.id::text, 12) end, m.error_code, case when m.sent then m.ended end,
      case when m.status = 'SUCCESS' then m.ended end, ${at}, m.ended
    from (
      select *, status in ('SUCCESS', 'FAILED_WITH_EXCEPTION') or error_code = 'SIM_FAILED' as sent
      from unnest(${of('id')}::uuid[], ${of('status')}::text[], ${of('recipientRaw')}::text[],
        ${of('recipient')}::text[], ${of('country')}::text[], ${of('message')}::text[], ${of('subject')}::text[],
        ${of('segments')}::int[], ${of('priceMicros')}::bigint[], ${of('errorCode')}::text[],
        ${of('sentAt')}::timestamptz[], ${of('carrier')}::text[]
      ) as given (id, status, recipient_raw, recipient, country, message, subject, segment, price_micros, error_code,
        ended, carrier)
    ) m`.execute(db);
  if (channel !== 'email') await insertReply(db, batch);
  return replyTime(at);
};

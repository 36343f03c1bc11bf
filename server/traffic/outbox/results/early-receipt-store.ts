import { type RawBuilder, sql } from 'kysely';
import type { MessageId } from '../../../../contract/traffic/messages.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Receipt } from '../../lanes/index.ts';
import { bearing, type CarrierKey } from './carrier-id-store.ts';

/** `receivedAt`: when a receipt that was stored before had arrived. */
export type LaneReceipt = Receipt & Pick<CarrierKey, 'laneId'> & { receivedAt?: Date };

const given = (
  keys: CarrierKey[],
): RawBuilder<unknown> => sql`unnest(${keys.map(({ laneId }) => laneId)}::int[],
  ${keys.map(({ providerMessageId }) => providerMessageId)}::text[]) as given (lane_id, provider_message_id)`;

/**
 * Whether there is one for a row `written`. In most flushes there are none at all, so one look into the table answers
 * for all rows.
 */
export const hasEarlyReceipt = sql`(select exists (select from early_receipts)) and exists (
      select from early_receipts e where e.lane_id = written.lane_id
        and e.provider_message_id = written.provider_message_id)`;

/** Stores receipts whose message is not known yet, or not any more. */
export const keepEarlyReceipts = async (db: Db, receipts: LaneReceipt[]): Promise<void> => {
  await sql`
    insert into early_receipts
      (lane_id, provider_message_id, state, code, at, message_id, recipient, of_part, received_at, other_ids)
    select lane_id, id, state, code, at, message_id, recipient, of_part, coalesce(received_at, now()),
      case when other_ids <> '' then string_to_array(other_ids, ' ') end
    from unnest(${receipts.map(({ laneId }) => laneId)}::int[],
      ${receipts.map(({ providerMessageId }) => providerMessageId)}::text[],
      ${receipts.map(({ state }) => state)}::text[], ${receipts.map(({ code }) => code)}::text[],
      ${receipts.map(({ at }) => at)}::timestamptz[],
      ${receipts.map(({ messageId }) => messageId ?? null)}::uuid[],
      ${receipts.map(({ recipient }) => recipient ?? null)}::text[],
      ${receipts.map(({ ofPart }) => ofPart ?? false)}::boolean[],
      ${receipts.map(({ receivedAt }) => receivedAt ?? null)}::timestamptz[],
      ${receipts.map(({ otherIds = [] }) => otherIds.join(' '))}::text[])
      as given (lane_id, id, state, code, at, message_id, recipient, of_part, received_at, other_ids)`.execute(
    db,
  );
};

type StoredReceipt = Omit<LaneReceipt, 'messageId' | 'recipient' | 'ofPart' | 'otherIds'> & {
  id: bigint;
  messageId: MessageId | null;
  recipient: string | null;
  ofPart: boolean;
  otherIds: string[] | null;
};

/** Takes the early receipts of these messages, oldest first, with all that is needed to keep them again. */
export const takeEarlyReceipts = async (db: Db, keys: CarrierKey[]): Promise<LaneReceipt[]> => {
  const { rows } = await sql<StoredReceipt>`
    delete from early_receipts e using ${given(keys)}
    where e.lane_id = given.lane_id and e.provider_message_id = given.provider_message_id
    returning e.id, e.lane_id as "laneId", e.provider_message_id as "providerMessageId", e.state, e.code, e.at,
      e.message_id as "messageId", e.recipient, e.of_part as "ofPart", e.received_at as "receivedAt",
      e.other_ids as "otherIds"`.execute(db);
  return rows
    .sort((a, b) => Number(a.id - b.id))
    .map(({ id, messageId, recipient, ofPart, otherIds, ...receipt }) => ({
      ...receipt,
      ...(messageId && { messageId }),
      ...(recipient && { recipient }),
      ...(ofPart && { ofPart }),
      ...(otherIds && { otherIds }),
    }));
};

/** Which of these ids still have receipts without a message, and whether their message has been stored since. */
export const findEarly = async (
  db: Db,
  laneId: number,
  providerMessageIds: string[],
): Promise<{ providerMessageId: string; known: boolean }[]> => {
  const { rows } = await sql<{ providerMessageId: string; known: boolean }>`
    select e.provider_message_id as "providerMessageId",
      exists (select from ${bearing(sql`${laneId}`, sql`e.provider_message_id`)}) as known
    from (select distinct provider_message_id from early_receipts
      where lane_id = ${laneId} and provider_message_id = any(${providerMessageIds}::text[])) e`.execute(db);
  return rows;
};

/** The messages `m` to a recipient that were sent with an id in another form than their receipt has. */
const bearingOther = (
  laneId: RawBuilder<unknown>,
  otherId: RawBuilder<unknown>,
  recipient: RawBuilder<unknown>,
) => sql`${bearing(laneId, otherId)} and m.recipient = ${recipient}`;

/** The other form of each of these ids under which a message exists, if there is one. */
export const findOtherIds = async (
  db: Db,
  receipts: LaneReceipt[],
): Promise<(CarrierKey & { otherId: string })[]> => {
  const asked = receipts.flatMap(({ otherIds = [], ...receipt }) =>
    otherIds.map((otherId) => ({ ...receipt, otherId })),
  );
  if (asked.length === 0) return [];
  const { rows } = await sql<CarrierKey & { otherId: string }>`
    select given.lane_id as "laneId", given.id as "providerMessageId", given.other_id as "otherId"
    from unnest(${asked.map(({ laneId }) => laneId)}::int[],
      ${asked.map(({ providerMessageId }) => providerMessageId)}::text[],
      ${asked.map(({ otherId }) => otherId)}::text[], ${asked.map(({ recipient }) => recipient ?? null)}::text[])
      as given (lane_id, id, other_id, recipient)
    where exists (select from ${bearingOther(sql`given.lane_id`, sql`given.other_id`, sql`given.recipient`)})`.execute(
    db,
  );
  return rows;
};

/** Gives early receipts whose message is known by now in another form its id. */
export const renameEarly = async (db: Db): Promise<void> => {
  await sql`
    update early_receipts e set provider_message_id = found.id, other_ids = null from (
      select e.id as early, other.id from early_receipts e cross join unnest(e.other_ids) as other (id)
      where e.other_ids is not null
        and exists (select from ${bearingOther(sql`e.lane_id`, sql`other.id`, sql`e.recipient`)})
    ) found where found.early = e.id`.execute(db);
};

/** Early receipts whose message is known by now: left by a lost answer or a race. */
export const findLateMatches = async (db: Db, limit: number): Promise<CarrierKey[]> => {
  const { rows } = await sql<CarrierKey>`
    select distinct e.lane_id as "laneId", e.provider_message_id as "providerMessageId" from early_receipts e
    where exists (select from ${bearing(sql`e.lane_id`, sql`e.provider_message_id`)})
    limit ${limit}`.execute(db);
  return rows;
};

export const removeExpiredReceipts = async (db: Db, afterMs: number): Promise<void> => {
  await sql`delete from early_receipts where received_at < now() - ${afterMs} * interval '1 ms'`.execute(db);
};

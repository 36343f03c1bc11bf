import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { MediaId, MediaState } from '../../../contract/traffic/media.ts';
import type { InboundMedia } from '../../../contract/traffic/message-content.ts';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import type { Db } from '../../ground/postgres/index.ts';

interface NewMedia {
  id: MediaId;
  accountId: AccountId;
  messageId: MessageId;
  laneId: number;
  providerMediaId: string;
  kind: InboundMedia['kind'];
  mimeType: string;
  fileName: string;
}

/** Records what to fetch, in the transaction that stores its message. */
export const expectMedia = async (db: Db, media: NewMedia): Promise<void> => {
  const clean = (text: string): string => text.replaceAll('\0', '');
  await sql`
    insert into media (id, account_id, message_id, lane_id, provider_media_id, kind, mime_type, file_name)
    values (${media.id}, ${media.accountId}, ${media.messageId}, ${media.laneId},
      ${clean(media.providerMediaId)}, ${media.kind}, ${clean(media.mimeType)},
      ${clean(media.fileName)})`.execute(db);
};

export interface DueMedia {
  id: MediaId;
  laneName: string;
  providerMediaId: string;
  attempts: number;
}

/** Claims what is due, for this long: if the process dies, another claims it then. */
export const takeDueMedia = async (
  db: Db,
  { limit, forMs }: { limit: number; forMs: number },
): Promise<DueMedia[]> => {
  const { rows } = await sql<DueMedia>`
    update media m set attempts = m.attempts + 1, due_at = now() + ${forMs} * interval '1 ms'
    from (select id from media where state = 'WAITING' and due_at <= now()
      order by due_at limit ${limit} for update skip locked) due, lanes l
    where m.id = due.id and l.id = m.lane_id
    returning m.id, l.name as "laneName", m.provider_media_id as "providerMediaId", m.attempts`.execute(db);
  return rows;
};

export const markStored = async (
  db: Db,
  { id, mimeType, bytes }: { id: MediaId; mimeType: string; bytes: number },
): Promise<void> => {
  await sql`update media set state = 'STORED', mime_type = ${mimeType}, bytes = ${bytes}, reason = ''
    where id = ${id} and state = 'WAITING'`.execute(db);
};

export const deferMedia = async (
  db: Db,
  { id, reason, delayMs }: { id: MediaId; reason: string; delayMs: number },
) => {
  await sql`update media set reason = ${reason}, due_at = now() + ${delayMs} * interval '1 ms'
    where id = ${id} and state = 'WAITING'`.execute(db);
};

export const giveUp = async (db: Db, { id, reason }: { id: MediaId; reason: string }): Promise<void> => {
  await sql`update media set state = 'FAILED', reason = ${reason} where id = ${id} and state = 'WAITING'`.execute(
    db,
  );
};

interface MediaRow {
  id: MediaId;
  kind: InboundMedia['kind'];
  mimeType: string;
  fileName: string;
  bytes: bigint | null;
  state: MediaState;
  reason: string;
}

const COLUMNS = sql`id, kind, mime_type as "mimeType", file_name as "fileName", bytes, state, reason`;

export const findMedia = async (
  db: Db,
  { accountId, mediaId }: { accountId: AccountId; mediaId: MediaId },
): Promise<MediaRow | undefined> => {
  const { rows } = await sql<MediaRow>`
    select ${COLUMNS} from media where id = ${mediaId} and account_id = ${accountId}`.execute(db);
  return rows[0];
};

export const readMediaOf = async (
  db: Db,
  { accountId, messageId }: { accountId: AccountId; messageId: MessageId },
): Promise<MediaRow[]> => {
  const { rows } = await sql<MediaRow>`
    select ${COLUMNS} from media where message_id = ${messageId} and account_id = ${accountId}
    order by created_at`.execute(db);
  return rows;
};

/** Of many messages, by the id of the file. */
export const readMediaFacts = async (
  db: Db,
  messageIds: MessageId[],
): Promise<Map<string, Pick<MediaRow, 'bytes' | 'state'>>> => {
  if (messageIds.length === 0) return new Map();
  const { rows } = await sql<MediaRow>`
    select ${COLUMNS} from media where message_id = any(${messageIds}::uuid[])`.execute(db);
  return new Map(rows.map((media) => [media.id, media]));
};

const PAGE = 500;

/** The readable files of an account, in the order of their ids. */
export async function* listStoredMedia(
  db: Db,
  accountId: AccountId,
): AsyncGenerator<{ id: MediaId; fileName: string }> {
  for (let after: MediaId | undefined; ; ) {
    const { rows } = await sql<{ id: MediaId; fileName: string }>`
      select id, file_name as "fileName" from media where account_id = ${accountId} and state = 'STORED'
        ${after ? sql`and id > ${after}` : sql``}
      order by id limit ${PAGE}`.execute(db);
    yield* rows;
    after = rows.at(-1)?.id;
    if (!after || rows.length < PAGE) return;
  }
}

/** Files that are old enough to be removed. */
export const findExpired = async (
  db: Db,
  { days, limit }: { days: number; limit: number },
): Promise<MediaId[]> => {
  const { rows } = await sql<{ id: MediaId }>`
    select id from media where state <> 'REMOVED' and created_at < now() - make_interval(days => ${days})
    order by created_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
};

export const markRemoved = async (db: Db, ids: MediaId[]): Promise<void> => {
  await sql`update media set state = 'REMOVED', file_name = '', bytes = null
    where id = any(${ids}::uuid[])`.execute(db);
};

import { sql } from 'kysely';
import type { MessageId } from '../../../contract/traffic/messages.ts';
import { type Db, fitsPage, pageBefore } from '../../ground/postgres/index.ts';
import type { BatchRow } from './store.ts';

/** A message that failed, as it was given. */
export interface FailedMessage {
  id: MessageId;
  recipientRaw: string;
  recipient: string;
  sender: string | null;
  message: string;
  subject: string | null;
  html: string | null;
  identifier: string | null;
  errorCode: string;
  reason: string;
}

interface Page {
  batch: Pick<BatchRow, 'id' | 'accountId' | 'exactly'>;
  after: MessageId | undefined;
  limit: number;
  /** Without those that were sent again. */
  unsentOnly: boolean;
}

/** In the order of the file. What is unknown did not fail: it may have arrived. */
const listFailed = async (db: Db, { batch, after, limit, unsentOnly }: Page): Promise<FailedMessage[]> => {
  const { rows } = await sql<FailedMessage>`
    select id, recipient_raw as "recipientRaw", recipient, sender, message, subject, html, identifier,
      error_code as "errorCode", reason
    from (select *, ${pageBefore({ size: sql`octet_length(message) + coalesce(octet_length(html), 0)`, order: sql`id` })} from (
    select m.id, m.recipient_raw, m.recipient, m.sender, m.message, m.subject, m.html, m.identifier, m.error_code,
      m.reason
    from messages m
    where m.account_id = ${batch.accountId} and m.created_at = ${batch.exactly}::timestamptz
      and m.batch_id = ${batch.id} and m.status = 'FAILED' ${after ? sql`and m.id > ${after}` : sql``}
      ${unsentOnly ? sql`and not exists (select from resent_messages r where r.message_id = m.id)` : sql``}
    order by m.account_id, m.created_at, m.id limit ${limit}) found) paged where ${fitsPage} order by id`.execute(
    db,
  );
  return rows;
};

const PAGE = 1_000;

/** Page by page: memory does not grow with them. */
export async function* failedOf(
  db: Db,
  { batch, unsentOnly }: Pick<Page, 'batch' | 'unsentOnly'>,
): AsyncGenerator<FailedMessage[]> {
  for (let after: MessageId | undefined; ; ) {
    const page = await listFailed(db, { batch, after, limit: PAGE, unsentOnly });
    if (page.length > 0) yield page;
    after = page.at(-1)?.id;
    if (!after) return;
  }
}

/** In the transaction that sends them again; returns how many of them had not been. */
export const markResent = async (db: Db, messageIds: MessageId[]): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into resent_messages (message_id) select unnest(${messageIds}::uuid[])
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows);
};

export const removeOldResent = async (db: Db, days: number): Promise<void> => {
  await sql`delete from resent_messages where resent_at < now() - make_interval(days => ${days})`.execute(db);
};

import type { Language } from '../../../contract/ground/constants.ts';
import { RESEND_DAYS } from '../../../contract/traffic/batches.ts';
import type { BatchId } from '../../../contract/traffic/messages.ts';
import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { readColumns } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { newId } from '../../ground/postgres/index.ts';
import type { SendingAccount } from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import {
  cellsOf,
  type FailedMessage,
  failedColumns,
  failedOf,
  isFree,
  requireOwnBatch,
} from '../batches/index.ts';
import { readPace } from '../outbox/index.ts';
import {
  allowSenders,
  prepare,
  readTerms,
  requestHash,
  type SendingDeps,
  type Terms,
} from '../sending/index.ts';
import { checkRows } from './check-rows.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';
import { count, newTally, type RowPiece } from './read-file.ts';
import { findUpload, freeKey, type NewUpload, takeUpload, type UploadRow } from './store.ts';

const DAY_MS = 86_400_000;

/** Checked and priced as of now, as the row of a new file would be. */
const judge = (
  terms: Terms,
  failed: FailedMessage,
  { row, columns }: { row: number; columns: string[] },
): AcceptedRow | RefusedRow => {
  const cells = cellsOf(failed, columns);
  try {
    const prepared = prepare(terms, {
      recipientRaw: failed.recipient,
      message: failed.message,
      subject: failed.subject ?? undefined,
      html: failed.html ?? undefined,
      fromPhone: failed.sender ?? undefined,
      identifier: failed.identifier ?? undefined,
    });
    return { ...prepared, recipientRaw: failed.recipientRaw, row, cells, failedId: failed.id };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { row, column: columns[0] ?? '', code: error.code, params: error.params, cells };
  }
};

const sendersOf = (page: FailedMessage[]) => page.map(({ sender }) => sender);

async function* judgeFailed(
  deps: SendingDeps,
  terms: Terms,
  pages: AsyncGenerator<FailedMessage[]>,
): AsyncGenerator<RowPiece> {
  const columns = failedColumns(terms.channel);
  const tally = newTally(readColumns({ row: 1, cells: columns }, terms.channel));
  for await (const page of pages) {
    const first = tally.rows + 1;
    const allowed = await allowSenders(deps, terms, sendersOf(page), { decided: true });
    const accepted: AcceptedRow[] = [];
    const refused: RefusedRow[] = [];
    for (const [at, failed] of page.entries()) {
      const judged = judge(allowed, failed, { row: first + at, columns });
      if ('code' in judged) refused.push(judged);
      else accepted.push(judged);
    }
    count(tally, accepted, refused);
    yield { accepted, refused, tally };
  }
  if (tally.rows === 0) throw new DomainError('E_NONE_FAILED');
}

interface Resend {
  sender: SendingAccount;
  batchId: BatchId;
  language: Language;
}

/**
 * What sending the failed messages of a file again would cost, as a file that was checked and not sent. Asking again
 * replaces it; messages that were sent again are left out.
 */
export const checkFailed = async (
  deps: SendingDeps,
  { sender, batchId, language }: Resend,
): Promise<UploadRow> => {
  const batch = await requireOwnBatch(deps.db, { sender, batchId });
  if (batch.kind !== 'CSV') throw new DomainError('E_NOT_FOUND');
  if (Date.now() - batch.createdAt.getTime() > RESEND_DAYS * DAY_MS)
    throw new DomainError('E_BATCH_TOO_OLD', { days: RESEND_DAYS });
  const { accountId, channel, fileName } = batch;
  const general = await readTerms(deps, { accountId, channel, test: isFree(batch) });
  // They are of one sender: whether that is a real device decides how the whole is paid.
  const { value: first } = await failedOf(deps.db, { batch, unsentOnly: true }).next();
  const terms = await allowSenders(deps, general, sendersOf(first ?? []));
  const key = `resend:${batchId}`;
  const upload: NewUpload = {
    id: newId() as UploadId,
    accountId,
    key,
    requestHash: requestHash(key),
    channel,
    free: terms.free,
    test: terms.test,
    fileName: text(language, 'upload.resend_name', { name: fileName || batchId.slice(-12) }),
  };
  const pace = await readPace(deps.db, accountId, channel);
  return deps.db.transaction().execute(async (trx) => {
    await freeKey(trx, { accountId, key });
    // Somebody else asked for the same at this moment.
    const known = await takeUpload(trx, upload, { ownHash: false });
    if (known) return known;
    const pieces = judgeFailed(deps, terms, failedOf(trx, { batch, unsentOnly: true }));
    await checkRows(trx, deps, { upload, terms, pieces, send: false, byPage: sender.byPage, pace });
    const made = await findUpload(trx, { accountId, uploadId: upload.id });
    if (!made) throw new Error('an upload is gone');
    return made;
  });
};

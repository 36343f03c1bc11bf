import type { ErrorCode } from '../../../contract/ground/errors.ts';
import type { UploadId } from '../../../contract/traffic/uploads.ts';
import { prefetch } from '../../ground/batching/index.ts';
import { readColumns } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { SendingAccount } from '../../ground/route/index.ts';
import { markResent } from '../batches/index.ts';
import {
  acceptWithin,
  allowSenders,
  readSchedule,
  readTerms,
  type SendingDeps,
  separateOptedOut,
  type Terms,
  unitPrice,
  type WantedSchedule,
} from '../sending/index.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';
import { addresseesOf, refuseOptedOut, rowTotals } from './opted-out-rows.ts';
import { refuseOutside, separateOutside } from './outside-session.ts';
import {
  findUpload,
  insertRefusals,
  keepLateRefusals,
  markSent,
  readRows,
  removeUnsent,
  type UploadRow,
} from './store.ts';

const CHUNK = 1_000;

export interface OwnUpload {
  sender: SendingAccount;
  uploadId: UploadId;
}

interface Sending extends OwnUpload {
  when?: WantedSchedule;
}

/**
 * Another account's file and one that doesn't exist get the same answer; a test secret can't touch what costs money.
 */
export const requireUpload = (upload: UploadRow | undefined, { test }: SendingAccount): UploadRow => {
  if (!upload || (test && !upload.free)) throw new DomainError('E_NOT_FOUND');
  return upload;
};

type Staged = Omit<AcceptedRow, 'cells'>;

async function* staged(trx: Db, uploadId: UploadId): AsyncGenerator<Staged[]> {
  for (let after = 0; ; ) {
    const rows = await readRows(trx, { uploadId, after, limit: CHUNK });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

/** The row in the columns of its file; only its recipient and text were stored. */
const restored = <R extends Staged>(row: R, { columns, channel }: UploadRow) => {
  const { names, recipient, message } = readColumns({ row: 1, cells: columns }, channel);
  const cells = columns.map((_, at) =>
    at === recipient ? row.recipientRaw : at === message ? row.message : '',
  );
  return { row: { ...row, cells }, column: names[recipient] ?? '' };
};

const addReason = (reasons: UploadRow['reasons'], code: ErrorCode, more: number): UploadRow['reasons'] => {
  const before = reasons.find((reason) => reason.code === code)?.count ?? 0;
  return [...reasons.filter((reason) => reason.code !== code), { code, count: before + more }].toSorted(
    (a, b) => b.count - a.count,
  );
};

interface Willing {
  upload: UploadRow;
  terms: Terms;
  expected: { messages: number; priceMicros: bigint };
  chunks: AsyncGenerator<Staged[]>;
}

/** Of the rows that repeat a failed message, none may have been sent again before. */
const claimFailed = async (trx: Db, rows: Staged[]): Promise<void> => {
  const failedIds = rows.flatMap(({ failedId }) => failedId ?? []);
  if (failedIds.length > 0 && (await markResent(trx, failedIds)) < failedIds.length)
    throw new DomainError('E_UPLOAD_SENT');
};

/** A sender may have been taken away since the file was checked. */
const requireSenders = async (
  deps: SendingDeps,
  terms: Terms,
  rows: Staged[],
  { decided = false } = {},
): Promise<Terms> => {
  const senders = [...new Set(rows.flatMap(({ sender }) => sender ?? []))];
  if (senders.length === 0) return terms;
  const allowed = await allowSenders(deps, terms, senders, { decided });
  for (const sender of senders) allowed.senderOf(sender);
  return allowed;
};

/** Refuses rows after all, and subtracts them from the upload's counts. */
const leaveOut = async <R extends Staged>(
  trx: Db,
  { upload, expected }: Pick<Willing, 'upload' | 'expected'>,
  { rows, refuse }: { rows: R[]; refuse: (row: R & AcceptedRow, column: string) => RefusedRow },
): Promise<void> => {
  const refusals = rows.map((one) => {
    const { row, column } = restored(one, upload);
    return refuse(row, column);
  });
  const [first] = refusals;
  if (!first) return;
  const { segments, priceMicros } = rowTotals(rows);
  expected.messages -= rows.length;
  expected.priceMicros -= priceMicros;
  upload.accepted -= rows.length;
  upload.refused += rows.length;
  upload.segments -= BigInt(segments);
  upload.priceMicros -= priceMicros;
  upload.reasons = addReason(upload.reasons, first.code, rows.length);
  await insertRefusals(trx, upload.id, refusals);
};

/**
 * Leaves out rows whose recipient opted out after the file was checked, and those whose WhatsApp session has ended since
 * or will have at the time to send.
 */
async function* willingOf(trx: Db, deps: SendingDeps, sending: Willing): AsyncGenerator<Staged[]> {
  const { upload, terms, chunks } = sending;
  for await (const rows of chunks) {
    await requireSenders(deps, terms, rows, { decided: true });
    const { willing, optedOut } = await separateOptedOut({ ...deps, db: trx }, rows, addresseesOf(upload));
    upload.optedOut += optedOut.length;
    await leaveOut(trx, sending, { rows: optedOut, refuse: refuseOptedOut });
    // The quoted price holds, but not for a destination that is no longer sold.
    for (const row of willing) unitPrice(terms, row);
    const { inside, outside } = await separateOutside(trx, { terms, rows: willing });
    await leaveOut(trx, sending, { rows: outside, refuse: refuseOutside });
    await claimFailed(trx, inside);
    yield inside;
  }
}

/**
 * Sends the valid rows at the quoted price, without those whose recipients can no longer be written to. A repeat changes
 * nothing.
 */
export const sendUpload = async (
  deps: SendingDeps,
  { sender, uploadId, when = {} }: Sending,
): Promise<{ upload: UploadRow; repeated: boolean }> => {
  const owned = { accountId: sender.accountId, uploadId };
  const found = requireUpload(await findUpload(deps.db, owned), sender);
  // Before its time to send is judged: that may have passed since.
  if (found.batchId) return { upload: found, repeated: true };
  const { channel, free } = found;
  const schedule = await readSchedule(deps, sender.accountId, when);
  const general = {
    ...(await readTerms(deps, { accountId: sender.accountId, channel, test: free })),
    schedule,
  };
  return deps.db.transaction().execute(async (trx) => {
    const upload = requireUpload(await findUpload(trx, owned, { lock: true }), sender);
    if (upload.batchId) return { upload, repeated: true };
    const { refused } = upload;
    // The rows of a file are of one sender: whether that is a real device decides how the whole is paid.
    const first = await readRows(trx, { uploadId, after: 0, limit: 1 });
    const terms = await requireSenders(deps, general, first);
    const expected = { messages: upload.accepted, priceMicros: upload.priceMicros };
    const batch = await acceptWithin(trx, deps, {
      accountId: sender.accountId,
      channel,
      kind: 'CSV',
      terms,
      fileName: upload.fileName,
      byPage: sender.byPage,
      expected,
      chunks: willingOf(trx, deps, {
        upload,
        terms,
        expected,
        chunks: prefetch(staged(trx, uploadId), { afterTick: true }),
      }),
    });
    if (!batch) throw new DomainError('E_UPLOAD_EMPTY');
    const sent = { batchId: batch.batchId, balanceMicros: batch.balanceMicros };
    if (upload.refused > refused) await keepLateRefusals(trx, upload);
    await markSent(trx, { id: uploadId, ...sent });
    return { upload: { ...upload, ...sent }, repeated: false };
  });
};

export const cancelUpload = async ({ db }: Pick<SendingDeps, 'db'>, { sender, uploadId }: OwnUpload) => {
  const owned = { accountId: sender.accountId, uploadId };
  requireUpload(await findUpload(db, owned), sender);
  if (!(await removeUnsent(db, owned))) throw new DomainError('E_UPLOAD_SENT');
};

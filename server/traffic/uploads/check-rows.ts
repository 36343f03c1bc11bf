import { readWallet } from '../../customer/wallet/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import {
  type AcceptedBatch,
  acceptWithin,
  limitTestTexts,
  type SendingDeps,
  separateOptedOut,
  storedLength,
  type Terms,
} from '../sending/index.ts';
import { expectSeconds } from './expect-seconds.ts';
import type { AcceptedRow, RefusedRow } from './judge.ts';
import { addresseesOf, refuseOptedOut, rowTotals } from './opted-out-rows.ts';
import { refuseOutside, separateOutside } from './outside-session.ts';
import { countOptedOut, countOutside, type RowPiece, type UploadTally } from './read-file.ts';
import {
  insertRefusals,
  insertRows,
  markSent,
  type NewUpload,
  removeSurplus,
  storeUploadTally,
} from './store.ts';

const KEPT_UNSENT = 10;
/** Characters of test messages that are counted by one query. */
const COUNTED_AT_ONCE = 1_000_000;

interface Reading {
  upload: NewUpload;
  terms: Terms;
  pieces: AsyncGenerator<RowPiece>;
  /** The most that may be spent. */
  limitMicros: bigint | undefined;
  /** The state after the last piece. */
  tally: UploadTally | undefined;
}

const lengthOf = (accepted: AcceptedRow[], refused: RefusedRow[]): number => {
  let length = 0;
  for (const row of accepted) length += storedLength(row);
  for (const { cells } of refused) for (const cell of cells) length += cell.length;
  return length;
};

/** Stores the refused rows of each piece, including those that can't be written to; passes on the others. */
async function* acceptedOf(trx: Db, deps: SendingDeps, reading: Reading): AsyncGenerator<AcceptedRow[]> {
  const { upload, terms, pieces, limitMicros } = reading;
  let dueMicros = 0n;
  let uncounted = 0;
  const addresseeOf = addresseesOf(upload);
  for await (const { accepted, refused, tally } of pieces) {
    reading.tally = tally;
    const { willing, optedOut } = await separateOptedOut({ ...deps, db: trx }, accepted, addresseeOf);
    const { inside, outside } = await separateOutside(trx, { terms, rows: willing });
    if (optedOut.length > 0) countOptedOut(tally, optedOut);
    if (outside.length > 0) countOutside(tally, outside);
    const [first] = inside;
    if (first) tally.sample ??= { phone: first.recipient, message: first.message };
    dueMicros += rowTotals(inside).priceMicros;
    // A file that can't be paid for need not be read to its end.
    if (limitMicros !== undefined && dueMicros > limitMicros) throw new DomainError('E_BALANCE_TOO_LOW');
    const column = tally.columns.names[tally.columns.recipient] ?? '';
    const all = [
      ...refused,
      ...optedOut.map((row) => refuseOptedOut(row, column)),
      ...outside.map((row) => refuseOutside(row, column)),
    ];
    uncounted += lengthOf(inside, all);
    if (uncounted >= COUNTED_AT_ONCE) {
      await limitTestTexts(deps, terms, uncounted);
      uncounted = 0;
    }
    if (all.length > 0) await insertRefusals(trx, upload.id, all);
    if (inside.length > 0) yield inside;
  }
  await limitTestTexts(deps, terms, uncounted);
}

interface Check {
  upload: NewUpload;
  terms: Terms;
  /** The rows, judged. */
  pieces: AsyncGenerator<RowPiece>;
  /** Immediately, without showing the result of the check first. */
  send: boolean;
  byPage: true | undefined;
  /** Messages a second. */
  pace: number;
}

/** Stores the rows of a file with what was found in them, and sends them if requested. */
export const checkRows = async (
  trx: Db,
  deps: SendingDeps,
  { upload, terms, pieces, send, byPage, pace }: Check,
): Promise<void> => {
  const { id, accountId, channel, fileName } = upload;
  const reading: Reading = {
    upload,
    terms,
    pieces,
    limitMicros: send ? (await readWallet(trx, accountId)).balanceMicros : undefined,
    tally: undefined,
  };
  const chunks = acceptedOf(trx, deps, reading);
  let batch: AcceptedBatch | undefined;
  if (send)
    batch = await acceptWithin(trx, deps, {
      accountId,
      channel,
      kind: 'CSV',
      terms,
      fileName,
      byPage,
      chunks,
    });
  else for await (const chunk of chunks) await insertRows(trx, id, chunk);

  const { tally } = reading;
  if (!tally) throw new DomainError('E_CSV_EMPTY');
  await storeUploadTally(trx, { id, tally, expectedSeconds: expectSeconds(tally.accepted, pace) });
  if (batch) await markSent(trx, { id, batchId: batch.batchId, balanceMicros: batch.balanceMicros });
  else await removeSurplus(trx, accountId, KEPT_UNSENT);
};

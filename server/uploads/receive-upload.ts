import { createHash } from 'node:crypto';
import type { Channel } from '../../contract/messages.ts';
import type { UploadFields, UploadId } from '../../contract/uploads.ts';
import { prefetch } from '../batching/index.ts';
import type { SpooledCsv } from '../csv/index.ts';
import { DomainError } from '../domain-error.ts';
import { readPace } from '../outbox/index.ts';
import { type Db, newId } from '../postgres/index.ts';
import { countryOf } from '../recipients/index.ts';
import type { Sender } from '../route/index.ts';
import {
  type AcceptedBatch,
  acceptWithin,
  readSchedule,
  readTerms,
  type SendingDeps,
  type Terms,
} from '../sending/index.ts';
import { readWallet } from '../wallet/index.ts';
import { expectSeconds } from './expect-seconds.ts';
import type { AcceptedRow } from './judge.ts';
import { refuseOptedOut, separateOptedOut, sumOf } from './opted-out-rows.ts';
import { refuseOutside, separateOutside } from './outside-session.ts';
import { countOptedOut, countOutside, type Piece, readCsv, type Tally } from './read-file.ts';
import {
  findUpload,
  insertRefusals,
  insertRows,
  keepTally,
  markSent,
  type NewUpload,
  removeSurplus,
  takeUpload,
  type UploadRow,
} from './store.ts';

interface UploadRequest {
  sender: Sender;
  channel: Channel;
  csv: SpooledCsv;
  fileName: string;
  fields: UploadFields;
  idempotencyKey: string | undefined;
  /** Immediately, without showing the result of the check first. */
  send: boolean;
}

const KEPT_UNSENT = 10;
const FILE_NAME_LENGTH = 200;

const newUpload = (request: UploadRequest, terms: Terms): NewUpload => {
  const { sender, channel, csv, fileName, fields, idempotencyKey, send } = request;
  const { fromPhone, countryCode, message, subject, html, sendAt, lateLimitMinutes } = fields;
  const asked = [
    channel,
    sender.test,
    send,
    fromPhone,
    countryCode,
    message,
    subject,
    html,
    sendAt,
    lateLimitMinutes,
    csv.sha256.toString('hex'),
  ];
  const requestHash = createHash('sha256').update(JSON.stringify(asked)).digest();
  return {
    id: newId() as UploadId,
    accountId: sender.accountId,
    key: idempotencyKey === undefined ? `file:${requestHash.toString('hex')}` : `key:${idempotencyKey}`,
    requestHash,
    channel,
    free: terms.free,
    test: terms.test,
    fileName: fileName
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, FILE_NAME_LENGTH),
  };
};

interface Reading {
  upload: NewUpload;
  terms: Terms;
  pieces: AsyncGenerator<Piece>;
  /** The most that may be spent. */
  limitMicros: bigint | undefined;
  /** The state after the last piece. */
  tally: Tally | undefined;
}

/** Stores the refused rows of each piece, including those that can't be written to; passes on the others. */
async function* acceptedOf(trx: Db, deps: SendingDeps, reading: Reading): AsyncGenerator<AcceptedRow[]> {
  const { upload, terms, pieces, limitMicros } = reading;
  let dueMicros = 0n;
  for await (const { accepted, refused, tally } of pieces) {
    reading.tally = tally;
    const { willing, optedOut } = await separateOptedOut(trx, deps, { ...upload, rows: accepted });
    const { inside, outside } = await separateOutside(trx, { terms, rows: willing });
    if (optedOut.length > 0) countOptedOut(tally, optedOut);
    if (outside.length > 0) countOutside(tally, outside);
    const [first] = inside;
    if (first) tally.sample ??= { phone: first.recipient, message: first.message };
    dueMicros += sumOf(inside).priceMicros;
    // A file that can't be paid for need not be read to its end.
    if (limitMicros !== undefined && dueMicros > limitMicros) throw new DomainError('E_BALANCE_TOO_LOW');
    const column = tally.columns.names[tally.columns.recipient] ?? '';
    const all = [
      ...refused,
      ...optedOut.map((row) => refuseOptedOut(row, column)),
      ...outside.map((row) => refuseOutside(row, column)),
    ];
    if (all.length > 0) await insertRefusals(trx, upload.id, all);
    if (inside.length > 0) yield inside;
  }
}

interface Work {
  upload: NewUpload;
  terms: Terms;
  request: UploadRequest;
  /** Messages a second. */
  pace: number;
}

const work = async (trx: Db, deps: SendingDeps, { upload, terms, request, pace }: Work): Promise<void> => {
  const { id, accountId, channel } = upload;
  const { csv, fields, send } = request;
  const reading: Reading = {
    upload,
    terms,
    pieces: prefetch(readCsv(csv, { terms, fields }), { afterTick: true }),
    limitMicros: send ? (await readWallet(trx, accountId)).balanceMicros : undefined,
    tally: undefined,
  };
  const chunks = acceptedOf(trx, deps, reading);
  let batch: AcceptedBatch | undefined;
  if (send) batch = await acceptWithin(trx, deps, { accountId, channel, kind: 'CSV', terms, chunks });
  else for await (const chunk of chunks) await insertRows(trx, id, chunk);

  const { tally } = reading;
  if (!tally) throw new DomainError('E_CSV_EMPTY');
  const expectedSeconds = expectSeconds(tally.accepted, pace);
  await keepTally(trx, { id, tally, expectedSeconds });
  if (batch) await markSent(trx, { id, batchId: batch.batchId, balanceMicros: BigInt(batch.balanceMicros) });
  else await removeSurplus(trx, accountId, KEPT_UNSENT);
};

/**
 * Checks a file, and sends it if requested: all in one transaction, so that a file that can't be read to its end leaves
 * nothing behind. A repeat gets the first answer.
 */
export const receiveUpload = async (deps: SendingDeps, request: UploadRequest): Promise<UploadRow> => {
  const { sender, channel, fields } = request;
  for (const field of ['subject', 'html'] as const)
    if (channel !== 'email' && fields[field]?.trim()) throw new DomainError('E_EMAIL_ONLY', { field });
  countryOf(fields.countryCode);
  const schedule = await readSchedule(deps, sender.accountId, fields);
  if (schedule && !request.send) throw new DomainError('E_SEND_AT_ON_PREFLIGHT');
  const { accountId, test } = sender;
  const terms = { ...(await readTerms(deps, { accountId, channel, test })), schedule };
  const upload = newUpload(request, terms);
  // From earlier files: the messages accepted now were not sent yet.
  const pace = await readPace(deps.db, sender.accountId, channel);
  return deps.db.transaction().execute(async (trx) => {
    const ownHash = request.idempotencyKey === undefined;
    const known = await takeUpload(trx, upload, { ownHash });
    if (known && !known.requestHash.equals(upload.requestHash))
      throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
    if (known) return known;
    await work(trx, deps, { upload, terms, request, pace });
    const made = await findUpload(trx, { accountId: sender.accountId, uploadId: upload.id });
    if (!made) throw new Error('an upload is gone');
    return made;
  });
};

import { createHash } from 'node:crypto';
import type { Channel } from '../../contract/messages.ts';
import type { UploadFields, UploadId } from '../../contract/uploads.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Sender } from '../route.ts';
import { readWallet } from '../wallet/index.ts';
import { type AcceptedBatch, acceptWithin } from './accept.ts';
import { countryOf } from './country.ts';
import type { AcceptedRow } from './csv-judge.ts';
import { countOptedOut, oneAhead, type Piece, readCsv, type Tally } from './csv-read.ts';
import type { SpooledCsv } from './csv-spool.ts';
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
} from './csv-store.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { newId } from './new-id.ts';
import { refuseOptedOut, separateOptedOut, sumOf } from './opted-out-rows.ts';
import { expectSeconds } from './pace.ts';
import { readTerms, type Terms } from './prepare.ts';
import { readSchedule } from './schedule.ts';

export interface UploadRequest {
  sender: Sender;
  channel: Channel;
  csv: SpooledCsv;
  fileName: string;
  fields: UploadFields;
  idempotencyKey: string | undefined;
  /** At once, without a look at what was found. */
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
  pieces: AsyncGenerator<Piece>;
  /** The most that may be spent. */
  limitMicros: bigint | undefined;
  /** How it stands after the last piece. */
  tally: Tally | undefined;
}

/** Writes down the refused rows of each piece, those to the opted-out among them, and hands on the others. */
async function* acceptedOf(trx: Db, deps: MessagesDeps, reading: Reading): AsyncGenerator<AcceptedRow[]> {
  const { upload, pieces, limitMicros } = reading;
  let dueMicros = 0n;
  for await (const { accepted, refused, tally } of pieces) {
    reading.tally = tally;
    const { willing, optedOut } = await separateOptedOut(trx, deps, { ...upload, rows: accepted });
    if (optedOut.length > 0) {
      countOptedOut(tally, optedOut);
      const [first] = willing;
      if (first) tally.sample ??= { phone: first.recipient, message: first.message };
    }
    dueMicros += sumOf(willing).priceMicros;
    // What can't be paid for need not be read to its end.
    if (limitMicros !== undefined && dueMicros > limitMicros) throw new DomainError('E_BALANCE_TOO_LOW');
    const column = tally.columns.names[tally.columns.recipient] ?? '';
    const all = [...refused, ...optedOut.map((row) => refuseOptedOut(row, column))];
    if (all.length > 0) await insertRefusals(trx, upload.id, all);
    if (willing.length > 0) yield willing;
  }
}

interface Work {
  upload: NewUpload;
  terms: Terms;
  request: UploadRequest;
}

const work = async (trx: Db, deps: MessagesDeps, { upload, terms, request }: Work): Promise<void> => {
  const { id, accountId, channel } = upload;
  const { csv, fields, send } = request;
  const reading: Reading = {
    upload,
    pieces: oneAhead(readCsv(csv, { terms, fields })),
    limitMicros: send ? (await readWallet(trx, accountId)).balanceMicros : undefined,
    tally: undefined,
  };
  const chunks = acceptedOf(trx, deps, reading);
  let batch: AcceptedBatch | undefined;
  if (send) batch = await acceptWithin(trx, deps, { accountId, channel, kind: 'CSV', terms, chunks });
  else for await (const chunk of chunks) await insertRows(trx, id, chunk);

  const { tally } = reading;
  if (!tally) throw new DomainError('E_CSV_EMPTY');
  const expectedSeconds = await expectSeconds(trx, { accountId, channel, messages: tally.accepted });
  await keepTally(trx, { id, tally, expectedSeconds });
  if (batch) await markSent(trx, { id, batchId: batch.batchId, balanceMicros: BigInt(batch.balanceMicros) });
  else await removeSurplus(trx, accountId, KEPT_UNSENT);
};

/**
 * Checks a file, and sends it if that is asked for: all in one transaction, so that a file that can't be read to
 * its end leaves nothing behind. A repeat is answered as the first.
 */
export const receiveUpload = async (deps: MessagesDeps, request: UploadRequest): Promise<UploadRow> => {
  const { sender, channel, fields } = request;
  for (const field of ['subject', 'html'] as const)
    if (channel !== 'email' && fields[field]?.trim()) throw new DomainError('E_EMAIL_ONLY', { field });
  countryOf(fields.countryCode);
  const schedule = await readSchedule(deps, sender.accountId, fields);
  if (schedule && !request.send) throw new DomainError('E_SEND_AT_ON_PREFLIGHT');
  const terms = { ...(await readTerms(deps, { channel, test: sender.test })), schedule };
  const upload = newUpload(request, terms);
  return deps.db.transaction().execute(async (trx) => {
    const ownHash = request.idempotencyKey === undefined;
    const known = await takeUpload(trx, upload, { ownHash });
    if (known && !known.requestHash.equals(upload.requestHash))
      throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
    if (known) return known;
    await work(trx, deps, { upload, terms, request });
    const made = await findUpload(trx, { accountId: sender.accountId, uploadId: upload.id });
    if (!made) throw new Error('an upload is gone');
    return made;
  });
};

import type { Channel } from '../../../contract/ground/channels.ts';
import type { UploadFields, UploadId } from '../../../contract/traffic/uploads.ts';
import { prefetch } from '../../ground/batching/index.ts';
import type { SpooledCsv } from '../../ground/csv/index.ts';
import { DomainError } from '../../ground/domain-error.ts';
import { newId } from '../../ground/postgres/index.ts';
import { countryOf } from '../../ground/recipients/index.ts';
import type { SendingAccount } from '../../ground/route/index.ts';
import { readPace } from '../outbox/index.ts';
import { allowSenders, readSchedule, readTerms, requestHash, type SendingDeps } from '../sending/index.ts';
import { checkRows } from './check-rows.ts';
import { readCsv } from './read-file.ts';
import { findRepeated, findUpload, type NewUpload, takeUpload, type UploadRow } from './store.ts';

interface UploadRequest {
  sender: SendingAccount;
  channel: Channel;
  csv: SpooledCsv;
  fileName: string;
  fields: UploadFields;
  idempotencyKey: string | undefined;
  /** Immediately, without showing the result of the check first. */
  send: boolean;
}

const FILE_NAME_LENGTH = 200;

const newUpload = (request: UploadRequest): Omit<NewUpload, 'free' | 'test'> => {
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
  const ownHash = requestHash(asked);
  return {
    id: newId() as UploadId,
    accountId: sender.accountId,
    key: idempotencyKey === undefined ? `file:${ownHash.toString('hex')}` : `key:${idempotencyKey}`,
    requestHash: ownHash,
    channel,
    fileName: fileName
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, FILE_NAME_LENGTH),
  };
};

/**
 * Checks a file, and sends it if requested: all in one transaction, so that a file that can't be read to its end leaves
 * nothing behind. A repeat gets the first answer.
 */
export const receiveUpload = async (
  deps: SendingDeps,
  request: UploadRequest,
): Promise<{ upload: UploadRow; repeated: boolean }> => {
  const { sender, channel, fields, csv, send } = request;
  const asked = newUpload(request);
  const ownHash = request.idempotencyKey === undefined;
  const repeat = (known: UploadRow) => {
    if (!known.requestHash.equals(asked.requestHash)) throw new DomainError('E_IDEMPOTENCY_KEY_REUSED');
    return { upload: known, repeated: true };
  };
  // A file that can't be accepted now, as its time to send has passed, may have been accepted before.
  const before = await findRepeated(deps.db, asked, { ownHash });
  if (before) return repeat(before);
  for (const field of ['subject', 'html'] as const)
    if (channel !== 'email' && fields[field]?.trim()) throw new DomainError('E_EMAIL_ONLY', { field });
  countryOf(fields.countryCode);
  const schedule = await readSchedule(deps, sender.accountId, fields);
  if (schedule && !send) throw new DomainError('E_SEND_AT_ON_PREFLIGHT');
  const { accountId, test } = sender;
  const general = { ...(await readTerms(deps, { accountId, channel, test })), schedule };
  const terms = await allowSenders(deps, general, [fields.fromPhone]);
  // The whole file is from one sender: it need not be read to learn that every row is refused.
  terms.senderOf(fields.fromPhone);
  const upload = { ...asked, free: terms.free, test: terms.test };
  // From earlier files: the messages accepted now were not sent yet.
  const pace = await readPace(deps.db, sender.accountId, channel);
  return deps.db.transaction().execute(async (trx) => {
    const known = await takeUpload(trx, upload, { ownHash });
    if (known) return repeat(known);
    const pieces = prefetch(readCsv(csv, { terms, fields }), { afterTick: true });
    await checkRows(trx, deps, { upload, terms, pieces, send, byPage: sender.byPage, pace });
    const made = await findUpload(trx, { accountId: sender.accountId, uploadId: upload.id });
    if (!made) throw new Error('an upload is gone');
    return { upload: made, repeated: false };
  });
};

import type { UploadId } from '../../contract/uploads.ts';
import { DomainError } from '../domain-error.ts';
import type { Db } from '../postgres/index.ts';
import type { Sender } from '../route.ts';
import { acceptWithin } from './accept.ts';
import type { AcceptedRow } from './csv-judge.ts';
import { oneAhead } from './csv-read.ts';
import { findUpload, markSent, readRows, removeUnsent, type UploadRow } from './csv-store.ts';
import type { MessagesDeps } from './messages-deps.ts';
import { readTerms } from './prepare.ts';
import { readSchedule, type WantedSchedule } from './schedule.ts';

const CHUNK = 1_000;

export interface OwnUpload {
  sender: Sender;
  uploadId: UploadId;
}

interface Sending extends OwnUpload {
  when?: WantedSchedule;
}

/** Another's file and one that doesn't exist get the same answer; a test secret can't touch what costs money. */
export const requireUpload = (upload: UploadRow | undefined, { test }: Sender): UploadRow => {
  if (!upload || (test && !upload.free)) throw new DomainError('E_NOT_FOUND');
  return upload;
};

async function* staged(trx: Db, uploadId: UploadId): AsyncGenerator<AcceptedRow[]> {
  for (let after = 0; ; ) {
    const rows = await readRows(trx, { uploadId, after, limit: CHUNK });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.row;
  }
}

/** Sends the valid rows at the price that was quoted. A repeat changes nothing. */
export const sendUpload = async (
  deps: MessagesDeps,
  { sender, uploadId, when = {} }: Sending,
): Promise<UploadRow> => {
  const owned = { accountId: sender.accountId, uploadId };
  const { channel, free } = requireUpload(await findUpload(deps.db, owned), sender);
  const schedule = await readSchedule(deps, sender.accountId, when);
  const terms = { ...(await readTerms(deps, { channel, test: free })), schedule };
  return deps.db.transaction().execute(async (trx) => {
    const upload = requireUpload(await findUpload(trx, owned, { lock: true }), sender);
    if (upload.batchId) return upload;
    const batch = await acceptWithin(trx, deps, {
      accountId: sender.accountId,
      channel,
      kind: 'CSV',
      terms,
      expected: { messages: upload.accepted, priceMicros: upload.priceMicros },
      chunks: oneAhead(staged(trx, uploadId)),
    });
    if (!batch) throw new DomainError('E_UPLOAD_EMPTY');
    const sent = { batchId: batch.batchId, balanceMicros: BigInt(batch.balanceMicros) };
    await markSent(trx, { id: uploadId, ...sent });
    return { ...upload, ...sent };
  });
};

export const cancelUpload = async ({ db }: Pick<MessagesDeps, 'db'>, { sender, uploadId }: OwnUpload) => {
  const owned = { accountId: sender.accountId, uploadId };
  requireUpload(await findUpload(db, owned), sender);
  if (!(await removeUnsent(db, owned))) throw new DomainError('E_UPLOAD_SENT');
};

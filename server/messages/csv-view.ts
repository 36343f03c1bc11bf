import type { Language } from '../../contract/constants.ts';
import { numberFromMicros } from '../../contract/money.ts';
import type { Upload } from '../../contract/uploads.ts';
import { text } from '../translations/index.ts';
import { readWallet } from '../wallet/index.ts';
import { readRefusals, type UploadRow } from './csv-store.ts';
import type { MessagesDeps } from './messages-deps.ts';

const REFUSALS = 100;

export const viewUpload = async (
  { db }: Pick<MessagesDeps, 'db'>,
  upload: UploadRow,
  language: Language,
): Promise<Upload> => {
  const refusals = await readRefusals(db, { uploadId: upload.id, after: 0, limit: REFUSALS });
  const balanceMicros = upload.balanceMicros ?? (await readWallet(db, upload.accountId)).balanceMicros;
  const dueMicros = upload.batchId ? 0n : upload.priceMicros;
  /** What the reasons of one code have in common; a row's own reason has its particulars. */
  const commonParams = (code: string) => refusals.find((one) => one.code === code)?.params ?? {};
  return {
    _id: upload.id,
    channel: upload.channel,
    state: upload.batchId ? 'SENT' : 'READY',
    batchId: upload.batchId,
    test: upload.test,
    fileName: upload.fileName,
    header: upload.header,
    columns: upload.columns,
    rows: upload.rows,
    accepted: upload.accepted,
    refused: upload.refused,
    duplicates: upload.duplicates,
    reasons: upload.reasons.map(({ code, count }) => ({
      code,
      message: text(language, `error.${code}`, commonParams(code)),
      count,
    })),
    refusals: refusals.map(({ row, column, code, params }) => ({
      row,
      column,
      code,
      message: text(language, `error.${code}`, params),
    })),
    sample:
      upload.samplePhone === null
        ? null
        : { phone: upload.samplePhone, message: upload.sampleMessage ?? '' },
    segments: Number(upload.segments),
    price: numberFromMicros(upload.priceMicros),
    currency: 'USD',
    balance: numberFromMicros(balanceMicros),
    balanceAfter: numberFromMicros(balanceMicros - dueMicros),
    expectedSeconds: upload.expectedSeconds,
    createdAt: upload.createdAt.toISOString(),
  };
};

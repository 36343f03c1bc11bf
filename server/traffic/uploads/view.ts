import type { Language } from '../../../contract/ground/constants.ts';
import type { ErrorCode } from '../../../contract/ground/errors.ts';
import { numberFromMicros } from '../../../contract/ground/money.ts';
import type { Upload } from '../../../contract/traffic/uploads.ts';
import { readWallet } from '../../customer/wallet/index.ts';
import { type Label, text } from '../../ground/translations/index.ts';
import type { SendingDeps } from '../sending/index.ts';
import { readRefusals, type UploadRow } from './store.ts';

const REFUSALS = 100;
/** Their own texts contain details of the row; these are for all rows together. */
const IN_GENERAL = [
  'E_PHONE_INVALID',
  'E_CALLING_CODE_UNKNOWN',
  'E_PLACEHOLDER_EMPTY',
  'E_CSV_NO_COLUMN',
  'E_TOO_MANY_SEGMENTS',
  'E_MESSAGE_TOO_LONG',
  'E_IDENTIFIER_TOO_LONG',
  'E_NO_LANE',
  'E_NO_PRICE',
  'E_NUMBER_RANGE',
  'E_DEVICE_UNKNOWN',
  'E_DEVICE_NOT_RUNNING',
  'E_DEVICE_SIMULATED',
] as const satisfies ErrorCode[];
const labelInGeneral = (code: ErrorCode): Label => {
  const general = IN_GENERAL.find((one) => one === code);
  return general ? `upload.reason.${general}` : `error.${code}`;
};

export const viewUpload = async (
  { db }: Pick<SendingDeps, 'db'>,
  { upload, repeated = false }: { upload: UploadRow; repeated?: boolean },
  language: Language,
): Promise<Upload> => {
  const refusals = await readRefusals(db, { uploadId: upload.id, after: 0, limit: REFUSALS });
  const balanceMicros = upload.balanceMicros ?? (await readWallet(db, upload.accountId)).balanceMicros;
  const dueMicros = upload.batchId ? 0n : upload.priceMicros;
  return {
    _id: upload.id,
    channel: upload.channel,
    state: upload.batchId ? 'SENT' : 'READY',
    batchId: upload.batchId,
    repeated,
    test: upload.test,
    fileName: upload.fileName,
    header: upload.header,
    columns: upload.columns,
    rows: upload.rows,
    accepted: upload.accepted,
    refused: upload.refused,
    duplicates: upload.duplicates,
    optedOut: upload.optedOut,
    reasons: upload.reasons.map(({ code, count }) => ({
      code,
      message: text(language, labelInGeneral(code)),
      count,
    })),
    refusals: refusals.map(({ row, column, code, params }) => ({
      row,
      column,
      code,
      message: text(language, `error.${code}`, params),
    })),
    sample:
      upload.samplePhone === null ? null : { phone: upload.samplePhone, message: upload.sampleMessage ?? '' },
    segments: Number(upload.segments),
    price: numberFromMicros(upload.priceMicros),
    currency: 'USD',
    balance: numberFromMicros(balanceMicros),
    balanceAfter: numberFromMicros(balanceMicros - dueMicros),
    expectedSeconds: upload.expectedSeconds,
    createdAt: upload.createdAt.toISOString(),
  };
};

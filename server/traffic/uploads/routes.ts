import { z } from 'zod';
import { CHANNELS } from '../../../contract/ground/channels.ts';
import { upload, uploadFields, uploadParams } from '../../../contract/traffic/uploads.ts';
import { csvPart } from '../../ground/csv/index.ts';
import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import {
  type SenderFiles,
  type SenderRoutes,
  type SenderUploads,
  senderFile,
  senderUpload,
} from '../../ground/route/index.ts';
import { text } from '../../ground/translations/index.ts';
import type { SendingDeps } from '../sending/index.ts';
import { checkFailed } from './check-failed.ts';
import { receiveUpload } from './receive-upload.ts';
import { refusedCsv } from './refused-csv.ts';
import { cancelUpload, requireUpload, sendUpload } from './send-upload.ts';
import { findUpload } from './store.ts';
import { viewUpload } from './view.ts';

/** Each takes a database connection while it runs; single messages need some too. One account leaves room for others. */
const MAX_CONCURRENT = 2;
const PER_ACCOUNT = { maxPerKey: 1, maxWaitingPerKey: 20 };
/** The failed messages of a file are read in one transaction. */
const MAX_RESENDS = 1;
/** The longest field, in UTF-8. */
const FIELD_BYTES = 300_000;

/** What can be done with a file after it was checked. */
export const uploadRoutes = (deps: SendingDeps): SenderRoutes => {
  const limited = openConcurrencyLimit(MAX_RESENDS, PER_ACCOUNT);
  return {
    'GET /uploads/:uploadId': async ({ sender, params, language }) => {
      const upload = await findUpload(deps.db, { accountId: sender.accountId, ...params });
      return viewUpload(deps, { upload: requireUpload(upload, sender) }, language);
    },
    'POST /uploads/:uploadId/send': async ({ sender, params, body, language }) =>
      viewUpload(deps, await sendUpload(deps, { sender, ...params, when: body ?? {} }), language),
    'DELETE /uploads/:uploadId': async ({ sender, params, language }) => {
      await cancelUpload(deps, { sender, ...params });
      return { message: text(language, 'upload.cancelled') };
    },
    'POST /batches/:batchId/resend': async ({ sender, params, language, hungUp }) =>
      viewUpload(
        deps,
        {
          upload: await limited(() => checkFailed(deps, { sender, ...params, language }), {
            signal: hungUp,
            key: sender.accountId,
          }),
        },
        language,
      ),
  };
};

export const uploadFiles = (deps: SendingDeps): SenderFiles => ({
  'GET /uploads/:uploadId/refused.csv': senderFile({
    summary: 'The refused rows of a CSV file with row, column and reason, to be corrected',
    params: uploadParams,
    answer: async ({ sender, params: { uploadId }, language }) => ({
      contentType: 'text/csv; charset=utf-8',
      fileName: 'refused.csv',
      body: await refusedCsv(deps, { sender, uploadId, language }),
    }),
  }),
});

/** The files themselves, which lie in `folder` while they are read. */
export const csvUploads = (deps: SendingDeps, folder: string): SenderUploads => {
  const limited = openConcurrencyLimit(MAX_CONCURRENT, PER_ACCOUNT);
  const file = csvPart(folder);
  const route = (summary: string, send: boolean) =>
    senderUpload({
      summary,
      params: z.strictObject({ channel: z.enum(CHANNELS) }),
      headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
      fields: uploadFields,
      maxFields: 10,
      maxFieldBytes: FIELD_BYTES,
      file,
      reply: upload,
      take: async ({ sender, params, headers, fields, file: csv, fileName, language, hungUp }) => {
        const idempotencyKey = headers['idempotency-key'];
        const asked = { sender, channel: params.channel, csv, fileName, fields, idempotencyKey, send };
        const turn = { signal: hungUp, key: sender.accountId };
        return viewUpload(deps, await limited(() => receiveUpload(deps, asked), turn), language);
      },
    });
  return {
    'POST /:channel/csvSend': route('Send the valid rows of a CSV file', true),
    'POST /:channel/csvPreflight': route('Check a CSV file, free of charge; nothing is sent yet', false),
  };
};

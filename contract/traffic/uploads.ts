import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { ERROR_CODES } from '../ground/errors.ts';
import { batchId, scheduleFields } from './messages.ts';

const uploadId = z.uuid().brand<'UploadId'>();
export type UploadId = z.infer<typeof uploadId>;
export const uploadParams = z.strictObject({ uploadId });

export const CSV_MAX_BYTES = 200 * 1024 * 1024;
export const CSV_MAX_ROWS = 1_000_000;
/** Characters of the texts that all rows of a file make together, with their placeholders filled. */
export const CSV_MAX_TEXT = 500_000_000;

const reason = { code: z.enum(ERROR_CODES), message: z.string() };

/** A CSV file as it was read: which rows would be sent, which would not and why, and what it costs. */
export const upload = z.strictObject({
  _id: uploadId,
  channel: z.enum(CHANNELS),
  state: z.enum(['READY', 'SENT']).meta({ description: 'READY: checked, nothing sent or charged yet.' }),
  batchId: batchId
    .nullable()
    .meta({ description: 'How far it has got is told by this batch; null while READY.' }),
  repeated: z.boolean().meta({
    description:
      'Whether this is the first answer again, because the same file or key came before: this call sent and charged nothing.',
  }),
  test: z.boolean(),
  fileName: z.string(),
  header: z.boolean().meta({ description: 'Whether the first row names the columns.' }),
  columns: z.array(z.string()).meta({ description: 'The names that placeholders may use.' }),
  rows: z.int().meta({ description: 'Rows with something in them, without the header.' }),
  accepted: z.int(),
  refused: z.int().meta({ description: 'All others, duplicates among them.' }),
  duplicates: z.int().meta({ description: 'Rows with the recipient and the text of an earlier row.' }),
  optedOut: z.int().meta({ description: 'Rows whose recipient has opted out.' }),
  reasons: z.array(z.strictObject({ ...reason, count: z.int() })),
  refusals: z
    .array(
      z.strictObject({
        row: z.int().meta({ description: 'As a spreadsheet counts: the first row of the file is 1.' }),
        column: z.string().meta({ description: 'Its name, or its number where no row names the columns.' }),
        ...reason,
      }),
    )
    .meta({ description: 'The first 100; all of them are in refused.csv.' }),
  sample: z
    .strictObject({ phone: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'The first message, with its placeholders filled.' }),
  segments: z.int(),
  price: z.number().meta({ description: 'In USD: what sending charges.' }),
  currency: z.literal('USD'),
  balance: z.number().meta({ description: 'In USD: now, or just after sending.' }),
  balanceAfter: z.number().meta({ description: 'In USD; below zero when the balance does not suffice.' }),
  expectedSeconds: z.int().meta({ description: 'How long sending may take.' }),
  createdAt: z.iso.datetime(),
});
export type Upload = z.infer<typeof upload>;

/** The form fields that are sent with the file, in any order. */
export const uploadFields = z.strictObject({
  secret: z.string().max(200).optional(),
  fromPhone: z.string().max(100).optional(),
  countryCode: z.string().max(6).optional(),
  message: z
    .string()
    .max(20_000)
    .optional()
    .meta({ description: 'The text for all rows; {{name}} stands for the column of that name.' }),
  subject: z.string().max(500).optional().meta({ description: 'Email only; may hold placeholders.' }),
  html: z
    .string()
    .max(100_000)
    .optional()
    .meta({ description: 'Email only, for all rows; what fills its placeholders is escaped.' }),
  ...scheduleFields,
});
export type UploadFields = z.infer<typeof uploadFields>;

export const uploadCalls = defineCalls({
  'GET /uploads/:uploadId': {
    summary: 'What was found in a CSV file',
    params: uploadParams,
    reply: upload,
  },
  'POST /uploads/:uploadId/send': {
    summary: 'Send the valid rows of a CSV file that was checked before',
    params: uploadParams,
    body: z.strictObject(scheduleFields).nullish(),
    reply: upload,
  },
  'DELETE /uploads/:uploadId': {
    summary: 'Forget a CSV file that was checked but not sent',
    params: uploadParams,
    reply: z.strictObject({ message: z.string() }),
  },
});

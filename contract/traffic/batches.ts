import { z } from 'zod';
import { accountId, accountParams } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { MESSAGE_STATUSES } from './message-values.ts';
import { batchId } from './messages.ts';
import { upload } from './uploads.ts';

const BATCHES_PAGE_SIZE = 25;
/** The failed messages of a file may be sent again for so many days. */
export const RESEND_DAYS = 30;

export const batchParams = z.strictObject({ batchId });

const batch = z.strictObject({
  _id: batchId,
  accountId,
  email: z.string().nullable().meta({ description: 'For admins: whose it is.' }),
  channel: z.enum(CHANNELS),
  kind: z.enum(['API', 'CSV']),
  fileName: z.string().meta({ description: 'Of a CSV file; empty if it has none, or was forgotten.' }),
  byPage: z.boolean().meta({ description: 'Sent from the pages, and not by a program.' }),
  test: z.boolean(),
  createdAt: z.iso.datetime(),
  sendAt: z.iso.datetime().nullable().meta({ description: 'When it is to go out, if later.' }),
  cancelledAt: z.iso.datetime().nullable(),
  total: z.int(),
  price: z.number().meta({ description: 'In USD, of all of it.' }),
  cost: z.number().meta({ description: 'In USD: the price, less what was refunded.' }),
  counts: z.record(z.enum(MESSAGE_STATUSES), z.int()).meta({
    description: 'Messages by status; FAILED_WITH_EXCEPTION are those whose outcome is unknown.',
  }),
  delivered: z.int().meta({ description: 'Of SUCCESS: what the carrier or the device confirmed.' }),
  countedAt: z.iso.datetime().meta({
    description: 'When it was counted: now, or in a list of large files up to a few minutes ago.',
  }),
  secondsLeft: z.int().nullable().meta({
    description: 'At the pace of the last minute; null while there is none, and once nothing waits.',
  }),
});
export type Batch = z.infer<typeof batch>;

export const batchCalls = defineCalls({
  'GET /batches/:batchId': {
    summary: 'How far a batch has got',
    params: batchParams,
    reply: batch,
  },
  'GET /account/:accountId/batches': {
    summary: 'The CSV files that were sent, the newest first',
    params: accountParams,
    query: z.strictObject({
      _id: batchId.optional().meta({ description: 'Only this one.' }),
      channel: z.enum(CHANNELS).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(BATCHES_PAGE_SIZE),
      skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
    reply: z.strictObject({ batches: z.array(batch), total: z.int() }),
  },
  'POST /batches/:batchId/resend': {
    summary: 'What sending the failed messages of a file again costs; nothing is sent yet',
    params: batchParams,
    reply: upload.meta({
      description: `Checked like a new file, and sent by POST /uploads/:uploadId/send. Each failed message can be sent again once, for ${RESEND_DAYS} days; unknown ones are never sent again.`,
    }),
  },
});

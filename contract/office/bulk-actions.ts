import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { messageExportQuery } from '../traffic/message-search.ts';
import { messageId } from '../traffic/messages.ts';
import { inDoubtFilter } from './in-doubt.ts';
import { failure } from './resolving.ts';

export const BULK_ACTIONS = ['SUCCESS', 'FAILED', 'TRANSFER'] as const;
export const BULK_STATES = ['GATHERING', 'RUNNING', 'DONE', 'STOPPED'] as const;
export const BULK_OUTCOMES = ['changed', 'unchanged', 'refused'] as const;
/** Of one call; a search may find more, up to `BULK_MOST`. */
export const BULK_MAX_IDS = 10_000;
const BULK_MAX_BYTES = 512 * 1024;
/** What one search may act on. */
export const BULK_MOST = 100_000;

export const bulkActionId = z
  .string()
  .regex(/^\d{1,18}$/)
  .brand<'BulkActionId'>();
export type BulkActionId = z.infer<typeof bulkActionId>;

const action = z.strictObject({
  _id: bulkActionId,
  action: z.enum(BULK_ACTIONS),
  state: z.enum(BULK_STATES),
  total: z.int().meta({ description: 'How many messages it is about; grows while they are gathered.' }),
  changed: z.int(),
  unchanged: z.int().meta({ description: 'They were so already.' }),
  refused: z.int(),
  own: z.boolean().meta({ description: 'Whether the caller asked for it.' }),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
});
export type BulkAction = z.infer<typeof action>;

const item = z.strictObject({
  _id: messageId,
  place: z.int(),
  outcome: z.enum(BULK_OUTCOMES),
  reason: z.string().meta({ description: 'Why it was refused; empty otherwise.' }),
});

const which = z.strictObject({ actionId: bulkActionId });

export const bulkActionCalls = defineCalls({
  'POST /admin/bulkActions': {
    summary:
      'Resolve or transfer many messages, by their ids, by a search or all in doubt; goes on in the background (admin)',
    maxBytes: BULK_MAX_BYTES,
    body: z
      .strictObject({
        action: z.enum(BULK_ACTIONS),
        ids: z.array(messageId).min(1).max(BULK_MAX_IDS).optional(),
        search: messageExportQuery.optional().meta({
          description: 'All outgoing messages that match; of more than 100,000 the newest.',
        }),
        inDoubt: z
          .strictObject(inDoubtFilter)
          .optional()
          .meta({ description: 'All messages in doubt, of a lane and time.' }),
        reason: failure.reason,
        errorCode: failure.errorCode,
        phoneName: z.string().max(100).optional().meta({ description: 'Of a transfer to a phone.' }),
        laneId: z
          .int()
          .min(1)
          .max(2_147_483_647)
          .optional()
          .meta({ description: 'Of a transfer to a lane; without both, where routing sends each.' }),
      })
      .refine((which) => [which.ids, which.search, which.inDoubt].filter(Boolean).length === 1, {
        error: 'either ids, search or inDoubt',
      }),
    reply: z.strictObject({ action }),
  },
  'GET /admin/bulkActions': {
    summary: 'What was done to many messages at once, the newest first (admin)',
    reply: z.strictObject({ actions: z.array(action) }),
  },
  'GET /admin/bulkActions/:actionId': {
    summary: 'How far it has got (admin)',
    params: which,
    reply: z.strictObject({ action }),
  },
  'GET /admin/bulkActions/:actionId/results': {
    summary: 'What became of each message, in order (admin)',
    params: which,
    query: z.strictObject({
      outcome: z.enum(BULK_OUTCOMES).optional(),
      after: z.coerce
        .number()
        .int()
        .min(0)
        .max(BULK_MOST)
        .default(0)
        .meta({ description: 'The place of the last one seen.' }),
      limit: z.coerce.number().int().min(1).max(1_000).default(100),
    }),
    reply: z.strictObject({ results: z.array(item), more: z.boolean() }),
  },
  'POST /admin/bulkActions/:actionId/stop': {
    summary: 'Leave the rest as it is (admin)',
    params: which,
    reply: z.strictObject({ action }),
  },
});

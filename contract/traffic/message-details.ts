import { z } from 'zod';
import { accountParams } from '../customer/accounts.ts';
import { entryId } from '../customer/wallet.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { messageRecord } from './message-search.ts';
import { MESSAGE_STATUSES } from './message-values.ts';
import { batchId, messageId } from './messages.ts';
import { VERDICTS } from './verdicts.ts';
import { webhookEvent } from './webhooks.ts';

/** How a message was submitted. */
export const MESSAGE_WAYS = ['API', 'CSV', 'PAGE'] as const;
/** Why the message was first routed to its lane; customers are told of the first four and DEVICE only. */
export const ROUTED_REASONS = [
  'PREFERRED',
  'CONVERSATION',
  'TEST',
  'NO_REAL_LANE',
  'ONLY',
  'INSTEAD',
  'DEDICATED',
  'STICKY',
  'SPREAD',
  'CHEAPEST',
  'WAITS',
  'TRIED',
  'DEVICE',
] as const;
/** Why the message was moved to another lane. */
export const DIVERTED_REASONS = [
  'REFUSED',
  'LANE_DOWN',
  'LANE_REJECTING',
  'LANE_REMOVED',
  'LANE_SUSPENDED',
  'TRANSFERRED',
] as const;
/** What the message waits for. */
export const WAITING_REASONS = [
  'SCHEDULED',
  'QUEUED',
  'IN_HAND',
  'PUT_OFF',
  'LANE_DOWN',
  'UNKNOWN',
  'DEVICE_STOPPED',
  'DEVICE_PENDING',
  'DEVICE_WARM_UP',
  'DEVICE_DAY',
  'DEVICE_NEW_CONTACTS',
  'DEVICE_QUIET_HOURS',
  'DEVICE_WARNED',
] as const;
/** Who reported the failure: the carrier in its reply, the carrier in a receipt, or nobody. */
const FAILED_REASONS = ['REFUSED', 'RECEIPT', 'UNKNOWN'] as const;
export const CANCELLED_REASONS = ['CANCELLED', 'TOO_LATE', 'OPTED_OUT', 'DEVICE_DELETED'] as const;

const at = z.iso.datetime();
const lane = z.string().nullable().meta({ description: 'For admins.' });
const reason = z.string().meta({ description: "In words, in the reader's language where we have them." });
const errorCode = z.string().meta({ description: "The carrier's or our own." });

const amount = z.number().meta({ description: 'In USD.' });

const parts = z
  .strictObject({
    total: z.int(),
    delivered: z.array(z.int()).meta({ description: 'By their number, from 1.' }),
    missing: z.array(z.int()).meta({ description: 'Those that failed, or of which nobody knows.' }),
  })
  .nullable()
  .meta({ description: 'Of a message that its carrier took in several parts; it is paid for as a whole.' });

/** Something that happened to a message. */
export const messageStep = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('accepted'),
    at,
    way: z.enum(MESSAGE_WAYS),
    batchId: batchId.nullable(),
    messages: z.int().meta({ description: 'How many were accepted and paid at once.' }),
  }),
  z.strictObject({ kind: z.literal('received'), at }),
  z.strictObject({
    kind: z.literal('priced'),
    at,
    segments: z.int(),
    unitPrice: z.number().meta({ description: 'In USD, of a segment.' }),
    price: z.number().meta({ description: 'In USD; 0 with the test secret.' }),
    country: z.string().meta({ description: "The recipient's, in two letters; empty for email." }),
    carrierName: z.string(),
    entryId: entryId.nullable().meta({ description: "The ledger's entry that paid for the batch." }),
  }),
  z.strictObject({
    kind: z.literal('scheduled'),
    at,
    sendAt: z.iso.datetime(),
    until: z.iso.datetime().nullable().meta({ description: 'It is cancelled if it can not go out by then.' }),
  }),
  z.strictObject({ kind: z.literal('routed'), at, why: z.enum(ROUTED_REASONS), lane }),
  z.strictObject({ kind: z.literal('put-off'), at, reason, errorCode, lane }),
  z.strictObject({
    kind: z.literal('diverted'),
    at,
    why: z.enum(DIVERTED_REASONS),
    reason,
    errorCode,
    lane,
    toLane: lane,
  }),
  z.strictObject({ kind: z.literal('unknown'), at, lane, parts }),
  z.strictObject({
    kind: z.literal('sent'),
    at,
    tries: z.int().meta({ description: 'How often it was handed over until it was taken.' }),
    lane,
  }),
  z.strictObject({ kind: z.literal('delivered'), at }),
  z.strictObject({ kind: z.literal('read'), at }),
  z.strictObject({ kind: z.literal('failed'), at, why: z.enum(FAILED_REASONS), reason, errorCode, parts }),
  z.strictObject({ kind: z.literal('cancelled'), at, why: z.enum(CANCELLED_REASONS) }),
  z.strictObject({
    kind: z.literal('resolved'),
    at,
    was: z.enum(MESSAGE_STATUSES),
    became: z.enum(VERDICTS),
    by: z.string().nullable().meta({ description: 'For admins: who decided it.' }),
  }),
  z.strictObject({ kind: z.literal('refunded'), at, amount, entryId }),
  z.strictObject({ kind: z.literal('charged-again'), at, amount, entryId }),
]);
export const STEP_KINDS = messageStep.options.map(({ shape }) => shape.kind.value);
export type MessageStep = z.infer<typeof messageStep>;

const CONVERSATION_PAGE_SIZE = 20;

export const messageDetailCalls = defineCalls({
  'GET /messages/:messageId/timeline': {
    summary: 'The whole life of a message: what happened to it, and which events were told of it',
    params: z.strictObject({ messageId }),
    reply: z.strictObject({
      message: messageRecord,
      steps: z.array(messageStep).meta({ description: 'In their order.' }),
      waiting: z
        .strictObject({ why: z.enum(WAITING_REASONS), until: z.iso.datetime().nullable() })
        .nullable()
        .meta({ description: 'What it waits for, while it does.' }),
      events: z
        .array(webhookEvent)
        .meta({ description: 'Those of the last 30 days that a webhook is told of, oldest first.' }),
    }),
  },
  'GET /account/:accountId/conversation': {
    summary: 'Messages to and from one other party, the newest first',
    params: accountParams,
    query: z.strictObject({
      phone: z
        .string()
        .trim()
        .min(1)
        .max(320)
        .meta({ description: 'A number with its country code, or an address.' }),
      channel: z.enum(CHANNELS),
      before: messageId.optional().meta({ description: 'The id of the oldest message seen.' }),
      limit: z.coerce.number().int().min(1).max(100).default(CONVERSATION_PAGE_SIZE),
    }),
    reply: z.strictObject({
      messages: z.array(messageRecord).meta({
        description: 'Of more than 10,000 that wait at once, some come in only when they are sent.',
      }),
      more: z.boolean(),
    }),
  },
});

import { z } from 'zod';
import { accountId } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { MESSAGE_STATUSES } from '../traffic/message-values.ts';
import { messageId } from '../traffic/messages.ts';
import { IN_DOUBT_MOST_ASKED } from '../traffic/verdicts.ts';

const laneId = z.int().min(1).max(2_147_483_647);

const minute = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  .meta({ description: "A minute such as 2026-12-24T18:00, in the account's time zone." });

/** Which of the messages in doubt; the times are those since when nobody knows their outcome. */
export const inDoubtFilter = { laneId: laneId.optional(), from: minute.optional(), to: minute.optional() };

const message = z.strictObject({
  _id: messageId,
  accountId,
  email: z.string().meta({ description: 'Whose it is.' }),
  channel: z.enum(CHANNELS),
  status: z.enum(MESSAGE_STATUSES),
  phone: z.string(),
  contactName: z
    .string()
    .meta({ description: 'What the account calls the recipient; empty without a name.' }),
  lane: z.string(),
  provider: z.string(),
  providerMessageId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  handedOverAt: z.iso.datetime().nullable().meta({ description: 'When a worker had claimed it to send it.' }),
  since: z.iso.datetime().meta({ description: 'Since when nobody knows what became of it.' }),
  attempts: z.int(),
  reason: z.string().meta({ description: 'Why nobody knows.' }),
  price: z.number().meta({ description: 'In USD.' }),
  question: z
    .strictObject({ askedAt: z.iso.datetime(), answeredAt: z.iso.datetime().nullable(), said: z.string() })
    .nullable()
    .meta({ description: 'What the carrier was asked about it, and answered.' }),
});
export type InDoubt = z.infer<typeof message>;

export const inDoubtCalls = defineCalls({
  'POST /admin/inDoubt/ask': {
    summary: 'Ask the carriers what became of messages in doubt, by the workers of their lanes (admin)',
    body: z.strictObject({ ids: z.array(messageId).min(1).max(IN_DOUBT_MOST_ASKED) }),
    reply: z.strictObject({ asked: z.int() }),
  },
  'GET /admin/inDoubt': {
    summary: 'Messages whose outcome is unknown, the oldest first (admin)',
    query: z.strictObject({
      ...inDoubtFilter,
      laneId: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
    reply: z.strictObject({
      messages: z.array(message),
      total: z.int().meta({ description: 'How many match.' }),
      lanes: z
        .array(
          z.strictObject({
            laneId,
            name: z.string(),
            provider: z.string(),
            count: z.int(),
            oldest: z.iso.datetime(),
          }),
        )
        .meta({ description: 'Lanes that have any, whatever was asked for.' }),
    }),
  },
});

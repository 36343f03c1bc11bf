import { z } from 'zod';
import { PHONE_NOTICES } from '../fleet/phone-rules.ts';
import { phoneId } from '../fleet/phones.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { day } from '../ground/day.ts';
import { LANE_MODES } from '../traffic/lanes.ts';
import { MESSAGE_STATUSES, MESSAGE_TYPES } from '../traffic/message-values.ts';
import { REPORT_DIMENSIONS } from './office-values.ts';

export type ReportDimension = (typeof REPORT_DIMENSIONS)[number];

const query = z.strictObject({
  date: day.optional().meta({ description: "In the installation's time zone; today unless given." }),
});
const head = {
  date: day,
  at: z.iso.datetime().meta({ description: 'When it was counted.' }),
  until: z
    .string()
    .meta({ description: 'HH:mm: up to here the days before are counted, so that a part of a day fits.' }),
};

const statuses = Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, z.int()])) as Record<
  (typeof MESSAGE_STATUSES)[number],
  z.ZodInt
>;

const statusRow = z.strictObject({
  channel: z.enum(CHANNELS),
  type: z.enum(MESSAGE_TYPES),
  ...statuses,
  total: z.int(),
  dayBefore: z.int(),
  weekBefore: z.int(),
});
export type StatusRow = z.infer<typeof statusRow>;

const figures = z.strictObject({
  messages: z.int(),
  success: z.int(),
  failed: z.int(),
  inDoubt: z.int().meta({ description: 'FAILED_WITH_EXCEPTION.' }),
  successRate: z
    .number()
    .nullable()
    .meta({ description: 'Of those that succeeded, failed or are in doubt, from 0 to 1.' }),
  medianMs: z
    .number()
    .nullable()
    .meta({ description: "From a message's time to the carrier's acceptance; at most 19 % too long." }),
  p95Ms: z.number().nullable(),
  revenue: z.number().meta({ description: 'What was paid for messages that ended and were not refunded.' }),
  cost: z.number().meta({ description: 'What the operator pays for the same messages.' }),
  margin: z.number(),
});
export type ReportFigures = z.infer<typeof figures>;

const compared = {
  now: figures,
  dayBefore: figures.nullable(),
  weekBefore: figures.nullable(),
};
const reportRow = z.strictObject({ name: z.string(), ...compared });
export type ReportRow = z.infer<typeof reportRow>;

const device = z.strictObject({
  _id: phoneId,
  phoneName: z.string(),
  state: z.enum(['UP', 'DOWN', 'unknown']),
  lastHeartbeatAt: z.iso.datetime().nullable(),
  sentToday: z.int(),
});

const notice = z.strictObject({ phoneName: z.string(), kind: z.enum(PHONE_NOTICES) });
export type PhoneNotice = z.infer<typeof notice>;

export const reportCalls = defineCalls({
  'GET /report/device': {
    summary: 'How the phones are (admin)',
    query: z.strictObject({
      skipNotice: z.string().max(10).optional().meta({ description: 'Without what is wrong with them.' }),
    }),
    reply: z.strictObject({
      at: z.iso.datetime(),
      devices: z.array(device),
      notices: z.array(notice).optional(),
    }),
  },
  'GET /report/status': {
    summary: "A day's messages by channel and status (admin)",
    query,
    reply: z.strictObject({
      ...head,
      rows: z.array(statusRow),
      hours: z
        .array(z.strictObject({ hour: z.iso.datetime(), ...statuses }))
        .meta({ description: 'Outgoing messages by the hour, from midnight to midnight.' }),
    }),
  },
  'GET /report/advance': {
    summary: "A day's success, speed and margin, by what the messages went by (admin)",
    query,
    reply: z.strictObject({
      ...head,
      total: z.strictObject(compared),
      by: z.strictObject(
        Object.fromEntries(
          REPORT_DIMENSIONS.map((dimension) => [dimension, z.array(reportRow)]),
        ) as unknown as Record<ReportDimension, z.ZodArray<typeof reportRow>>,
      ),
    }),
  },
  'GET /whatsapp-agent/arena': {
    summary: 'What waits on each way out by WhatsApp (admin)',
    reply: z.strictObject({
      queues: z.array(
        z.strictObject({
          name: z.string(),
          phoneName: z.string(),
          mode: z.enum(LANE_MODES),
          up: z.boolean().nullable(),
          waiting: z.int().meta({ description: '10000 stands for more.' }),
        }),
      ),
    }),
  },
});

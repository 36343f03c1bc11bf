import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { day } from '../ground/day.ts';
import { PHONE_FLAGS, PHONE_HEALTHS, PHONE_SLOTS, PHONE_TEXTS, PHONE_THROTTLES } from './phone-rules.ts';

export const phoneId = z.uuid().brand<'PhoneId'>();
export type PhoneId = z.infer<typeof phoneId>;

const moment = z.iso.datetime().nullable();
const limit = z.int().min(0).max(1_000_000_000).nullable();
const hour = z.int().min(0).max(24);
const health = z.enum(PHONE_HEALTHS);
const ok = z.strictObject({ status: z.literal('ok') });

/** What an operator sets of a phone beyond the columns of the table, written as JSON. */
export const phoneSetting = z.strictObject({
  shared: z
    .strictObject({ from: hour, to: hour })
    .optional()
    .meta({ description: 'The hours of the day in which it serves everybody; without: all of them.' }),
  idealVolume: z.int().min(0).max(1_000_000).optional().meta({ description: 'Messages a day; 0: any.' }),
  isTransferAvailable: z
    .boolean()
    .optional()
    .meta({ description: 'Whether messages may move from it to others and back; true unless given.' }),
  distinctRecipients: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: 'At most so many different people in 24 hours.' }),
  dedicatedTo: z
    .array(z.uuid())
    .max(20)
    .optional()
    .meta({ description: 'The accounts that it is lent to: only their messages go there.' }),
  method: z
    .enum(['sim-modem', 'gammu'])
    .optional()
    .meta({ description: 'How its modem is driven; sim-modem unless given.' }),
});
export type PhoneSetting = z.infer<typeof phoneSetting>;

const usage = z.strictObject({
  countNetShared: z.int().meta({ description: "Today's messages, without those that failed." }),
  sentToday: z.int(),
  sentTotal: z.int(),
});
export type PhoneUsage = z.infer<typeof usage>;

const flags = Object.fromEntries(PHONE_FLAGS.map((name) => [name, z.boolean()])) as Record<
  (typeof PHONE_FLAGS)[number],
  z.ZodBoolean
>;
const throttles = Object.fromEntries(PHONE_THROTTLES.map((name) => [name, limit])) as Record<
  (typeof PHONE_THROTTLES)[number],
  typeof limit
>;

const phone = z.strictObject({
  _id: phoneId,
  name: z.string(),
  phoneNumber: z.string(),
  IMSI: z.string(),
  remark: z.string(),
  createdAt: z.iso.datetime(),
  startedAt: moment,
  lastHeartbeatAt: moment,
  health: z
    .strictObject({ whatsapp: health, sms: health, smsWeb: health })
    .meta({ description: 'By the age of the last heartbeat when this was answered.' }),
  validityDays: z.int().nullable().meta({ description: 'Until the SIM expires.' }),
  latestTopUpAt: moment,
  simHost: z.string(),
  whatsappHost: z.string(),
  whatsappHostPort: z.string(),
  whatsappWebHost: z.string(),
  port: z.string(),
  slot: z.enum(PHONE_SLOTS).nullable(),
  estimatedBalance: z
    .number()
    .nullable()
    .meta({ description: 'What was last known, less what messages have cost since.' }),
  usage,
  setting: phoneSetting,
  transferJobRate: z.number().meta({ description: 'Its share of messages among phones of equal standing.' }),
  carrierAliases: z.array(z.string()).meta({ description: 'Networks that it reaches as its own.' }),
  ...flags,
  sendSetting: z.strictObject({ throttle: z.strictObject(throttles) }),
});
export type Phone = z.infer<typeof phone>;

const text = z.string().max(4_000);
const edit = z
  .strictObject({
    ...(Object.fromEntries(PHONE_TEXTS.map((name) => [name, text])) as Record<
      (typeof PHONE_TEXTS)[number],
      typeof text
    >),
    ...flags,
    ...throttles,
  })
  .partial()
  .refine((given) => Object.keys(given).length === 1, { error: 'one field at a time' });
export type PhoneEdit = z.infer<typeof edit>;

const balance = z.strictObject({
  at: z.iso.datetime(),
  balance: z.number(),
  kind: z.enum(['reported', 'entered', 'recharge']),
});

export const phoneCalls = defineCalls({
  'GET /phoneNumberInventory': {
    summary: 'Every phone with its state (admin)',
    query: z.strictObject({
      all: z
        .string()
        .max(10)
        .optional()
        .meta({ description: 'Also those that were given back; without it only those in use.' }),
    }),
    reply: z.strictObject({
      phoneNumberInventory: z.array(phone),
      hostMap: z
        .record(z.string(), z.array(z.string()))
        .meta({ description: 'The names of the phones at each host.' }),
      hostMapv2: z
        .record(
          z.string(),
          z.array(z.strictObject({ name: z.string(), port: z.string(), field: z.string() })),
        )
        .meta({ description: 'The same, each with its port and which of its hosts it is.' }),
    }),
  },
  'GET /phoneNumberInventory/usage': {
    summary: "Today's use of every phone (admin)",
    reply: z.strictObject({ usage: z.record(phoneId, usage) }),
  },
  'GET /phoneNumberInventory/slot': {
    summary: 'Which SIM is in which slot, and what it sent on a day (admin)',
    query: z.strictObject({ date: day.optional().meta({ description: 'Today unless given.' }) }),
    reply: z.strictObject({
      ret: z
        .record(
          z.string(),
          z.partialRecord(
            z.enum(PHONE_SLOTS),
            z.strictObject({ phoneName: z.string(), phoneNumber: z.string(), sent: z.int() }),
          ),
        )
        .meta({ description: 'By host.' }),
      phoneSlotDisabled: z
        .record(z.string(), z.array(z.enum(PHONE_SLOTS)))
        .meta({ description: 'Slots whose SIM sends nothing just now, by host.' }),
      devices: z.array(
        z.strictObject({
          phoneName: z.string(),
          host: z.string(),
          port: z.string(),
          phoneNumber: z.string(),
          lastHeartbeatAt: moment,
        }),
      ),
    }),
  },
  'GET /phoneNumberInventory/:phoneId/balances': {
    summary: "A phone's balances, the latest first (admin)",
    params: z.strictObject({ phoneId }),
    reply: z.strictObject({ balances: z.array(balance) }),
  },
  'POST /phoneNumberInventory': {
    summary: 'Add a phone (admin)',
    body: z.strictObject({ name: z.string().max(100), phoneNumber: z.string().max(40).optional() }),
    reply: z.strictObject({ _id: phoneId }),
  },
  'PUT /phoneNumberInventory/:phoneId': {
    summary: 'Change one field of a phone (admin)',
    params: z.strictObject({ phoneId }),
    body: edit,
    reply: ok,
  },
});

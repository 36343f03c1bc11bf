import { z } from 'zod';
import { accountId } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';

/** Of a number that is paired with a device. */
export const DEVICE_COUNTRIES = ['HK', 'CN', 'SG', 'US', 'PH', 'KH'] as const;
export const DEVICE_TYPES = ['whatsapp'] as const;
/** PENDING: on its way to one of the others. Only RUNNING devices send. */
export const DEVICE_STATUSES = ['RUNNING', 'STOPPED', 'PENDING'] as const;

/**
 * Why a device is not RUNNING. STARTING: no worker has it, or its worker has not
 * connected it yet. NO_PLACE: its worker drives as many as it may, and
 * starts it when another one ends. PAIRING: it waits for its owner to scan or type
 * the code. DROPPED: the connection was lost, and it reconnects by itself. STOPPING: what is in flight ends. The rest
 * are why it is STOPPED without its owner's doing: PAIRING_UNUSED: nobody used the code in time. LOGGED_OUT: its phone
 * ended the link, so that it has to be paired again. PHONE_LOST: its phone was not online for too long; the same.
 * BANNED: WhatsApp does not let this number send.
 */
export const DEVICE_REASONS = [
  'STARTING',
  'NO_PLACE',
  'PAIRING',
  'DROPPED',
  'STOPPING',
  'PAIRING_UNUSED',
  'LOGGED_OUT',
  'PHONE_LOST',
  'BANNED',
] as const;
export type DeviceReason = (typeof DEVICE_REASONS)[number];

/**
 * Why the governor of a RUNNING device keeps messages waiting. WARM_UP: a young number has sent what suits its age.
 * DAY: the same for a grown one. NEW_CONTACTS: it has begun as many new chats as it may today; those whom it knows are
 * still written to. QUIET_HOURS: it is night where it is. WARNED: WhatsApp warned it.
 */
export const DEVICE_HOLDS = ['WARM_UP', 'DAY', 'NEW_CONTACTS', 'QUIET_HOURS', 'WARNED'] as const;
export type DeviceHold = (typeof DEVICE_HOLDS)[number];

export const MOST_DEVICES = 10;
/** Real ones of an account that run without being paired. */
export const MOST_UNPAIRED = 2;
const DEVICE_ID = /^wa-[a-z]{2}-[a-z0-9]{8}$/;
/** Whether a `fromPhone` can only be meant as a device. */
export const isDeviceId = (text: string): boolean => DEVICE_ID.test(text);

export const deviceId = z.string().regex(DEVICE_ID).brand<'DeviceId'>().meta({
  description: 'What its owner and `fromPhone` call it, such as wa-hk-7k2m9x4p.',
});
export type DeviceId = z.infer<typeof deviceId>;

const moment = z.iso.datetime();
const phoneName = z.string().trim().max(60);

/** How its owner pairs it, while it waits for that; renewed as it expires. */
const pairing = z.strictObject({
  kind: z.enum(['qr', 'code']),
  text: z.string().meta({ description: 'What the QR code encodes, or the letters to type on the phone.' }),
  expiresAt: moment.meta({ description: 'Another one follows, until `attempt` reaches `attempts`.' }),
  attempt: z.int(),
  attempts: z.int(),
});

const shown = {
  status: z.enum(DEVICE_STATUSES),
  phoneNumber: z.string().meta({ description: 'In E.164; empty before it was paired.' }),
  phoneName: z.string().meta({ description: 'What it is called here.' }),
  host: z.string().meta({ description: 'The worker that holds it; empty: none.' }),
  port: z
    .string()
    .meta({ description: "The process there that drives it, by its id; '' if it has none of its own." }),
};

const device = z.strictObject({
  _id: z.uuid(),
  deviceId,
  accountId,
  ...shown,
  type: z.enum(DEVICE_TYPES),
  countryCode: z.enum(DEVICE_COUNTRIES),
  createdAt: moment,
  queue: z.string().meta({ description: 'The lane in which its messages wait.' }),
  display: z.strictObject(shown).partial().optional().meta({
    description: 'What is shown instead of its own fields: the name that its owner gave it at WhatsApp.',
  }),
  email: z.string().optional().meta({ description: "Its account's, in the list of all." }),
  wanted: z.enum(['RUNNING', 'STOPPED']).meta({ description: 'What its owner last asked for.' }),
  reason: z
    .enum(DEVICE_REASONS)
    .nullable()
    .meta({ description: 'Why it is not RUNNING; null: as was asked for.' }),
  reasonAt: moment.nullable(),
  pairing: pairing.nullable().meta({ description: 'For its owner only.' }),
  pairedAt: moment.nullable(),
  waiting: z.int().meta({ description: 'Messages that wait in it; 10000 stands for more.' }),
  hold: z
    .strictObject({ code: z.enum(DEVICE_HOLDS), until: moment })
    .nullable()
    .meta({ description: 'Why messages wait although it is RUNNING.' }),
  today: z
    .strictObject({
      sent: z.int(),
      mostSent: z.int(),
      newContacts: z.int(),
      mostNewContacts: z.int(),
      warmUpDay: z.int().nullable().meta({ description: 'From 1 on; null once it is warm.' }),
    })
    .nullable()
    .meta({ description: 'What it may do today; null if it has no limits.' }),
  simulated: z.boolean().meta({ description: 'It reaches nobody.' }),
  me: z.boolean().meta({ description: "Whether it is the reader's own." }),
  canStart: z.boolean(),
  canStop: z.boolean(),
  canSend: z.boolean(),
});
export type Device = z.infer<typeof device>;

const params = z.strictObject({ deviceId });
const status = z.strictObject({
  status: z.string().meta({ description: "What was done, in the reader's language." }),
});

export const deviceCalls = defineCalls({
  'GET /devices': {
    summary: "The account's devices; with `all` those of every account (admin)",
    query: z.strictObject({
      all: z
        .string()
        .max(10)
        .optional()
        .meta({ description: 'Admins only: of every account, with its email.' }),
    }),
    reply: z.strictObject({ devices: z.array(device) }),
  },
  'POST /devices/create': {
    summary: 'Create a device; it starts at once and waits to be paired',
    body: z.strictObject({
      countryCode: z.enum(DEVICE_COUNTRIES),
      type: z.enum(DEVICE_TYPES).optional().meta({ description: 'whatsapp unless given.' }),
      phoneName: phoneName.optional().meta({ description: 'What it is called here; its id unless given.' }),
    }),
    reply: status.extend({ deviceId }),
  },
  'POST /admin/devices': {
    summary: "Make a number at WhatsApp's Cloud API a device of an account (admin)",
    body: z.strictObject({
      accountId,
      countryCode: z.enum(DEVICE_COUNTRIES),
      phoneNumber: z.string().min(1).max(40),
      phoneName: phoneName.optional(),
      settings: z.record(z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/), z.string().max(20_000)).meta({
        description: 'Of the number, by the names WHATSAPP_CLOUD_… that they have in the environment.',
      }),
    }),
    reply: status.extend({ deviceId }),
  },
  'POST /devices/:deviceId/start': {
    summary: 'Start a device that is STOPPED',
    params,
    reply: status,
  },
  'POST /devices/:deviceId/stop': {
    summary: 'Stop a device; it sends nothing before it is started again',
    params,
    reply: status,
  },
  'POST /devices/:deviceId/pairingCode': {
    summary: 'Pair by a code that is typed on the phone, instead of a QR code',
    params,
    body: z.strictObject({ phoneNumber: z.string().min(1).max(40) }),
    reply: status,
  },
  'DELETE /devices/:deviceId': {
    summary: 'Delete a device; refused while messages wait in it, unless it is said what becomes of them',
    params,
    query: z.strictObject({
      waiting: z
        .enum(['move', 'cancel'])
        .optional()
        .meta({ description: 'move: to the device `to`; cancel: each is cancelled and refunded.' }),
      to: deviceId.optional(),
    }),
    reply: status.extend({
      moved: z.int().meta({ description: 'Messages that now wait in the other device.' }),
      cancelled: z.int().meta({ description: 'Messages that were cancelled and refunded.' }),
    }),
  },
});

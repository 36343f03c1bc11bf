import { z } from 'zod';
import { accountId, accountParams } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { day } from '../ground/day.ts';
import { MEDIA_STATES } from './media.ts';
import { MESSAGE_STATUSES, MESSAGE_TYPES, SIM_METHODS, SORTABLE } from './message-values.ts';
import { batchId, identifier, messageId } from './messages.ts';

export type MessageSort = (typeof SORTABLE)[number];
const MESSAGES_PAGE_SIZE = 50;
export const MESSAGES_MAX_LIMIT = 200;
const MESSAGES_MAX_SKIP = 100_000_000;

/** A select that is set to Any sends nothing, an empty text, or the text `Any`. */
const orAny = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.enum(['', 'any', 'Any']).transform(() => undefined)]).optional();
const direction = z.enum(['asc', 'desc']);

/** The filters of a search. */
const messageFilter = {
  dateFrom: day.optional().meta({ description: "In the account's time zone; 7 days ago unless given." }),
  dateTo: day.optional().meta({ description: 'The last day; tomorrow unless given.' }),
  status: orAny(z.enum(MESSAGE_STATUSES)),
  channel: orAny(z.enum(CHANNELS)),
  type: orAny(z.enum(MESSAGE_TYPES)),
  phone: z
    .string()
    .max(320)
    .optional()
    .meta({ description: 'The other party: a number with its country code, or an address.' }),
  countryCode: z
    .string()
    .max(6)
    .optional()
    .meta({ description: "Of phoneNumber, such as +852; without it, of the other party's number." }),
  phoneNumber: z
    .string()
    .max(320)
    .optional()
    .meta({ description: 'The other party, whole or its beginning.' }),
  message: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Part of the text; upper and lower case are the same.' }),
  _id: z.string().trim().max(100).optional().meta({
    description: 'Whole, whenever it was created; or at least its last eight characters, within the days.',
  }),
  accountId: orAny(accountId).meta({ description: 'For admins: of one account only.' }),
  provider: z.string().max(100).optional().meta({ description: 'For admins.' }),
  phoneId: z.string().max(100).optional().meta({ description: "For admins: a phone's id or name." }),
  method: orAny(z.enum(SIM_METHODS)),
  carrierName: z.string().max(100).optional().meta({ description: 'For admins.' }),
  carrierNames: z
    .union([z.string().max(2_000), z.array(z.string().max(2_000)).max(100)])
    .transform((given) => [given].flat().join(','))
    .optional()
    .meta({ description: 'For admins: several, repeated or with commas between.' }),
  identifier: identifier
    .optional()
    .meta({ description: "The sender's own reference, whole; whenever it was sent." }),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .meta({ description: "Of the other party's number, such as HK." }),
  batchId: orAny(batchId).meta({ description: 'Of one batch, whenever it was sent.' }),
  scheduled: orAny(z.literal('true')).meta({
    description: 'Only those that wait for their time, whenever they were created.',
  }),
  delivered: orAny(z.literal('true')).meta({
    description: 'Only those whose delivery the carrier or the device confirmed.',
  }),
};

export const messageQuery = z.strictObject({
  ...messageFilter,
  limit: z.coerce.number().int().min(1).max(MESSAGES_MAX_LIMIT).default(MESSAGES_PAGE_SIZE),
  skip: z.coerce.number().int().min(0).max(MESSAGES_MAX_SKIP).default(0),
  sort: z.enum(SORTABLE).default('createdAt'),
  order: direction.optional(),
  sortDesc: z
    .union([direction, z.enum(['true', 'false']).transform((is) => (is === 'true' ? 'desc' : 'asc'))])
    .optional(),
});

/** The filters of an export: all matches as one file. */
export const messageExportQuery = z.strictObject(messageFilter);

export const messageRecord = z.strictObject({
  _id: messageId,
  batchId: batchId.nullable(),
  accountId,
  accountEmail: z.string().nullable().meta({ description: "For admins: the account's name." }),
  contactName: z
    .string()
    .meta({ description: "What the account calls the other party; empty if it doesn't." }),
  type: z.enum(MESSAGE_TYPES),
  channel: z.enum(CHANNELS),
  status: z.enum(MESSAGE_STATUSES),
  phoneCountryCode: z
    .string()
    .meta({ description: 'Of the number written to, such as +852; empty for email.' }),
  phoneNumber: z.string(),
  fromPhoneCountryCode: z.string(),
  fromPhoneNumber: z.string().meta({
    description:
      'Who wrote: what the message names, or the number of the phone that has it; empty if any number of ours did.',
  }),
  message: z.string(),
  subject: z.string().nullable(),
  segment: z.int(),
  price: z.number(),
  currency: z.literal('USD'),
  test: z.boolean(),
  identifier: identifier.nullable(),
  reason: z.string(),
  errorCode: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  sendAt: z.iso.datetime().nullable(),
  sentAt: z.iso.datetime().nullable(),
  deliveredAt: z.iso.datetime().nullable(),
  readAt: z.iso.datetime().nullable(),
  duration: z.int().nullable().meta({
    description: 'Seconds until it was sent or failed; until now while it waits; null before its time.',
  }),
  carrierName: z.string(),
  quotedMessage: z
    .string()
    .nullable()
    .meta({ description: "WhatsApp's id of the message that is answered." }),
  image: z.string().nullable(),
  file: z.string().nullable(),
  fileName: z.string().nullable(),
  video: z.string().nullable(),
  templateName: z.string().nullable(),
  media: z
    .strictObject({
      _id: z.string(),
      kind: z.string(),
      mimeType: z.string(),
      fileName: z.string(),
      bytes: z.int().nullable(),
      state: z.enum(MEDIA_STATES),
    })
    .nullable()
    .meta({ description: 'What came with an incoming WhatsApp message.' }),
  WABA: z.string().nullable().meta({ description: 'The WhatsApp Business Account that it went through.' }),
  session: z.boolean().meta({ description: 'Whether the customer had written within the 24 hours before.' }),
  sessionSince: z.iso.datetime().nullable(),
  waMessageId: z.string().nullable().meta({ description: "WhatsApp's own id of it." }),
  tags: z.array(z.string()),
  job: z.strictObject({
    _id: z.string(),
    phoneId: z.string().nullable().meta({ description: 'For admins: the phone that it went by.' }),
    phoneName: z.string().nullable().meta({ description: 'For admins.' }),
    remoteDesktop: z
      .string()
      .nullable()
      .meta({ description: "For admins: where the phone's screen is opened." }),
    deviceId: z
      .string()
      .nullable()
      .meta({ description: "What has it: a device or, for admins, the phone's name." }),
    originalDeviceId: z
      .string()
      .nullable()
      .meta({ description: 'Where it was first, if it was transferred.' }),
    method: z.string().nullable().meta({ description: 'For admins: how the phone sent it.' }),
    requestNewChatAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When a device asked for a new chat.' }),
    reason: z.string(),
    updatedAt: z.iso.datetime(),
    provider: z.string().nullable().meta({ description: 'For admins.' }),
    providerMessageId: z.string().nullable().meta({ description: 'For admins.' }),
  }),
});
export type MessageRecord = z.infer<typeof messageRecord>;

export const messageSearchCalls = defineCalls({
  'GET /account/:accountId/messages': {
    summary: 'Messages, the newest first',
    params: accountParams,
    query: messageQuery,
    reply: z.strictObject({
      messages: z.array(messageRecord),
      total: z.int().meta({ description: 'Exactly how many there are in all.' }),
    }),
  },
  'GET /lanes': {
    summary: 'Every way out that there is or was, to search by (admin)',
    reply: z.strictObject({
      lanes: z.array(
        z.strictObject({
          name: z.string(),
          phoneName: z.string().meta({ description: 'Of a way out of a phone: what phoneId looks for.' }),
          channel: z.enum(CHANNELS),
          provider: z.string(),
          route: z.string().meta({
            description: 'The named list of lanes that it is in; the search for a provider finds it too.',
          }),
          carrierName: z.string(),
        }),
      ),
    }),
  },
});

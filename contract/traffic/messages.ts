import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { ERROR_CODES, type ErrorCode } from '../ground/errors.ts';
import { whatsappFields } from './message-content.ts';
import { MESSAGE_STATUSES } from './message-values.ts';

export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const messageId = z.uuid().brand<'MessageId'>();
export type MessageId = z.infer<typeof messageId>;
export const batchId = z.uuid().brand<'BatchId'>();
export type BatchId = z.infer<typeof batchId>;

const channelParams = z.strictObject({ channel: z.enum(CHANNELS) });
/** Characters of a message that is sent, also of one that a CSV file's row fills in. */
export const TEXT_MAX_LENGTHS = { message: 20_000, subject: 500, html: 500_000 } as const;

const idempotent = z.object({ 'idempotency-key': z.string().min(1).max(200).optional() });

export const IDENTIFIER_LENGTH = 200;
/** The caller's own reference of a message. */
export const identifier = z
  .string()
  .max(IDENTIFIER_LENGTH)
  .meta({ description: 'Your own reference: it comes back in answers, events and searches.' });

/** The search needs at least this many characters: fewer would match too much. */
export const CONTACT_KEYWORD_MIN_LENGTH = 3;

/** The reply to one accepted message. */
const accepted = z.strictObject({
  _id: messageId,
  batchId,
  status: z.enum(MESSAGE_STATUSES),
  phone: z.string().meta({ description: 'E.164, or the email address.' }),
  segments: z.int(),
  price: z.number().meta({ description: 'In USD; 0 with the test secret.' }),
  currency: z.literal('USD'),
  balance: z.number().meta({ description: 'What is left, in USD.' }),
  test: z.boolean().meta({ description: 'Whether it goes through a simulator.' }),
  sendAt: z.iso.datetime().optional().meta({ description: 'Of a scheduled one.' }),
  identifier: identifier.optional().meta({ description: 'As it was given.' }),
});

/** The reply to a cancellation. */
const cancellation = z.strictObject({
  refunded: z.number().meta({ description: 'In USD, by this call.' }),
  balance: z.number().meta({ description: 'What is left, in USD.' }),
});

const content = {
  secret: z
    .string()
    .max(200)
    .optional()
    .meta({ description: "The account's API secret, unless it is sent as a bearer token or a session is." }),
  phone: z
    .string('E_PHONE_MISSING' satisfies ErrorCode)
    .max(320)
    .meta({ description: 'The target: a phone number, or an email address for the email channel.' }),
  message: z.string().max(TEXT_MAX_LENGTHS.message),
  fromPhone: z.string().max(100).optional().meta({
    description:
      'A sender of the account: a dedicated number or name, or for email a verified address, with a name before it or not. Without one: the operator’s.',
  }),
  countryCode: z
    .string()
    .max(6)
    .optional()
    .meta({ description: 'For numbers without one, such as +852 or HK.' }),
  subject: z.string().max(TEXT_MAX_LENGTHS.subject).optional().meta({ description: 'Email only.' }),
  html: z.string().max(TEXT_MAX_LENGTHS.html).optional().meta({ description: 'Email only.' }),
  identifier: identifier.optional(),
};

/** How late a scheduled message may be sent, unless the request sets its own limit. */
export const LATE_LIMIT_MINUTES = 60;

export const scheduleFields = {
  sendAt: z.string().max(40).optional().meta({
    description:
      "When to send it: 2026-12-24T18:00 on the account's clocks, or with an offset. Without: now.",
  }),
  lateLimitMinutes: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_440)
    .optional()
    .meta({
      description: `If it could not go out within so many minutes of sendAt it is cancelled and refunded; ${LATE_LIMIT_MINUTES} unless given.`,
    }),
};

const sendBody = {
  ...content,
  ...whatsappFields,
  message: content.message.default('').meta({
    description: 'May be left out with a template, an image, a file or a video.',
  }),
};

export const SEND_MANY_MOST = 1_000;
export const SEND_MANY_MAX_BYTES = 8 * 1024 * 1024;

/** What became of one message of a call with many. */
const verdict = z.discriminatedUnion('accepted', [
  z.strictObject({
    accepted: z.literal(true),
    _id: messageId,
    phone: z.string(),
    segments: z.int(),
    price: z.number(),
    identifier: identifier.optional(),
  }),
  z.strictObject({
    accepted: z.literal(false),
    code: z.enum(ERROR_CODES),
    reason: z.string(),
    identifier: identifier.optional(),
  }),
]);

export const messageCalls = defineCalls({
  'POST /:channel/send': {
    summary: 'Send one message',
    params: channelParams,
    headers: idempotent,
    body: z.strictObject({ ...sendBody, ...scheduleFields }),
    reply: accepted,
  },
  'POST /:channel/sendMany': {
    summary: 'Send up to 1,000 messages by one call',
    params: channelParams,
    headers: idempotent,
    maxBytes: SEND_MANY_MAX_BYTES,
    body: z.strictObject({
      secret: content.secret,
      messages: z
        .array(z.strictObject(sendBody).omit({ secret: true }))
        .min(1)
        .max(SEND_MANY_MOST),
      allOrNothing: z
        .boolean()
        .default(false)
        .meta({ description: 'Whether one refused message keeps the others from being sent.' }),
      ...scheduleFields,
    }),
    reply: z.strictObject({
      batchId: batchId.nullable().meta({ description: 'Null if no message was accepted.' }),
      accepted: z.int(),
      refused: z.int(),
      price: z.number().meta({ description: 'In USD, of all that were accepted; 0 with the test secret.' }),
      currency: z.literal('USD'),
      balance: z.number().meta({ description: 'What is left, in USD.' }),
      test: z.boolean().meta({ description: 'Whether they go through a simulator.' }),
      sendAt: z.iso.datetime().optional().meta({ description: 'Of scheduled ones.' }),
      messages: z.array(verdict).meta({ description: 'One for each message of the call, in its order.' }),
    }),
  },
  'POST /:channel/quote': {
    summary: 'What a message would cost, without sending it',
    params: channelParams,
    body: z.strictObject({
      secret: content.secret,
      phone: content.phone.optional().meta({ description: 'Without one: the price for the country.' }),
      message: content.message,
      countryCode: content.countryCode,
      fromPhone: content.fromPhone,
    }),
    reply: z.strictObject({
      phone: z.string(),
      segments: z.int(),
      encoding: z.enum(['GSM', 'UCS2', 'NONE']),
      unitPrice: z
        .number()
        .meta({ description: 'In USD: of a segment of an SMS, a WhatsApp message, an email.' }),
      price: z.number().meta({ description: 'In USD; 0 with the test secret.' }),
      balanceAfter: z.number().meta({ description: 'In USD; below zero when the balance does not suffice.' }),
      test: z.boolean(),
    }),
  },
  'GET /messages/:messageId': {
    summary: 'What became of one message',
    params: z.strictObject({ messageId }),
    reply: z.strictObject({
      _id: messageId,
      batchId: batchId.nullable(),
      channel: z.enum(CHANNELS),
      phone: z.string().meta({ description: 'E.164, or the email address.' }),
      status: z.enum(MESSAGE_STATUSES),
      reason: z.string().meta({ description: 'In words, why it failed or still waits; empty otherwise.' }),
      errorCode: z.string().meta({ description: "The carrier's or our own code of the reason." }),
      segments: z.int(),
      price: z.number().meta({ description: 'In USD; what failed is refunded.' }),
      currency: z.literal('USD'),
      test: z.boolean().meta({ description: 'Whether it went through a simulator.' }),
      createdAt: z.iso.datetime(),
      sentAt: z.iso.datetime().nullable().meta({ description: 'When the carrier accepted it.' }),
      deliveredAt: z.iso.datetime().nullable(),
      identifier: identifier.nullable(),
    }),
  },
  'POST /messages/:messageId/cancel': {
    summary: 'Withdraw a message that still waits; it is refunded',
    params: z.strictObject({ messageId }),
    reply: cancellation.extend({ _id: messageId, status: z.enum(MESSAGE_STATUSES) }),
  },
  'POST /batches/:batchId/cancel': {
    summary: 'Withdraw what still waits of a batch; it is refunded',
    params: z.strictObject({ batchId }),
    reply: cancellation.extend({
      _id: batchId,
      cancelled: z.int().meta({ description: 'Messages withdrawn by now, of the whole batch.' }),
      waiting: z.int().meta({ description: 'Still to be withdrawn, or on their way already.' }),
    }),
  },
});

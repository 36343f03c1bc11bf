import { z } from 'zod';
import { accountParams } from '../customer/accounts.ts';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { day } from '../ground/day.ts';
import { ANSWER_FAULTS, EVENT_STATES, EVENT_TYPES, MOST_EVENTS_PER_CALL } from './event-values.ts';
import { MESSAGE_STATUSES } from './message-values.ts';
import { batchId, messageId } from './messages.ts';

/** The events of a message. */
const MESSAGE_EVENTS = ['accepted', 'sent', 'delivered', 'read', 'failed', 'inbound'] as const;
export type MessageEvent = (typeof MESSAGE_EVENTS)[number];
export type EventType = (typeof EVENT_TYPES)[number];
export type EventState = (typeof EVENT_STATES)[number];
export type AnswerFault = (typeof ANSWER_FAULTS)[number];

export const eventId = z.uuid().brand<'EventId'>();
export type EventId = z.infer<typeof eventId>;

const eventsPerCall = z.int().min(1).max(MOST_EVENTS_PER_CALL).meta({
  description: 'How many events a call has at most: 1 for an event alone, more for an array of events.',
});

const message = z.strictObject({ message: z.string() });

const filter = {
  type: z.enum(EVENT_TYPES).optional(),
  state: z.enum(EVENT_STATES).optional(),
  messageId: messageId.optional(),
  dateFrom: day.optional().meta({ description: "In the account's time zone." }),
  dateTo: day.optional().meta({ description: 'The last day that is included.' }),
};
export const eventFilter = z.object(filter);
export type EventFilter = z.infer<typeof eventFilter>;

/** What is posted to the webhook. Receivers must not mind fields that are added later. */
export const eventPayload = z.object({
  type: z.enum(EVENT_TYPES),
  timestamp: z.iso.datetime().meta({ description: 'When it happened.' }),
  data: z
    .object({
      _id: messageId,
      batchId: batchId.nullable(),
      channel: z.enum(CHANNELS),
      type: z.enum(['outgoing', 'incoming']),
      phone: z.string().meta({ description: "The other side's: E.164, or an email address." }),
      fromPhone: z.string().nullable().meta({ description: 'Our side, if one is known.' }),
      status: z.enum(MESSAGE_STATUSES),
      reason: z.string(),
      errorCode: z.string(),
      segments: z.int(),
      price: z.number().meta({ description: 'In USD.' }),
      currency: z.literal('USD'),
      test: z.boolean(),
      identifier: z.string().nullable().meta({ description: 'Your own reference, if one was given.' }),
      providerMessageId: z.string().nullable(),
      message: z.string().nullable().meta({ description: 'The text of an incoming message.' }),
      content: z
        .record(z.string(), z.unknown())
        .nullable()
        .meta({ description: 'What an incoming WhatsApp message is besides its text, its media among it.' }),
      createdAt: z.iso.datetime(),
      sentAt: z.iso.datetime().nullable(),
      deliveredAt: z.iso.datetime().nullable(),
      readAt: z.iso.datetime().nullable(),
    })
    .meta({
      description: 'The message as it was then. A webhook.test has { test: true, accountId } instead.',
    }),
});

/** What is posted instead if a call may have more than one event. */
export const eventArray = z
  .array(
    eventPayload.extend({
      id: z.string().meta({ description: 'evt_ and a UUID, the same at every attempt.' }),
    }),
  )
  .max(MOST_EVENTS_PER_CALL);

export const webhookEvent = z.strictObject({
  _id: eventId,
  type: z.enum(EVENT_TYPES),
  messageId: messageId.nullable(),
  state: z.enum(EVENT_STATES),
  attempts: z.int(),
  createdAt: z.iso.datetime(),
  attemptedAt: z.iso.datetime().nullable(),
  nextAt: z.iso.datetime().nullable().meta({ description: 'The next try; null when there is none.' }),
  answer: z
    .strictObject({
      status: z.int().nullable().meta({ description: 'Null when there was none.' }),
      fault: z.enum(ANSWER_FAULTS).or(z.literal('')),
      body: z.string().meta({ description: 'How it begins.' }),
      milliseconds: z.int(),
    })
    .nullable()
    .meta({ description: 'The last one.' }),
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

export const webhookCalls = defineCalls({
  'GET /account/:accountId/webhook': {
    summary: 'Where events go, how they are signed, and how that goes',
    params: accountParams,
    reply: z.strictObject({
      url: z.string().meta({ description: 'Empty when none is set.' }),
      eventsPerCall,
      masked: z.boolean().meta({
        description:
          'Whether the secret shows its last characters only: until the password was typed in this session a short while ago, by signing in or by confirmPassword.',
      }),
      secret: z.string().meta({ description: 'What signs the events: whsec_ and base64.' }),
      previousUntil: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'The secret before the last rotation signs too until then.' }),
      failingSince: z.iso.datetime().nullable(),
      pausedUntil: z.iso.datetime().nullable(),
      goneAt: z.iso.datetime().nullable().meta({ description: 'When the receiver answered 410 Gone.' }),
    }),
  },
  'PUT /account/:accountId/webhook': {
    summary: 'Choose how many events a call may have',
    params: accountParams,
    body: z.strictObject({ eventsPerCall }),
    reply: message,
  },
  'POST /account/:accountId/webhook/rotate': {
    summary: 'A new signing secret; the one before signs too for a day',
    params: accountParams,
    reply: message,
  },
  'POST /account/:accountId/webhook/resume': {
    summary: 'Send events again to a receiver that had answered 410 Gone or is paused',
    params: accountParams,
    reply: message,
  },
  'POST /account/:accountId/webhook/test': {
    summary: 'Send a test event',
    params: accountParams,
    reply: z.strictObject({ eventId, message: z.string() }),
  },
  'GET /account/:accountId/webhook/events': {
    summary: 'Events of the last 30 days with the answer received, newest first',
    params: accountParams,
    query: eventFilter.extend({
      before: eventId.optional().meta({ description: 'The id of the last event seen.' }),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
    reply: z.strictObject({ events: z.array(webhookEvent), more: z.boolean() }),
  },
  'GET /account/:accountId/webhook/events/:eventId': {
    summary: 'One event with what is sent',
    params: accountParams.extend({ eventId }),
    reply: z.strictObject({
      event: webhookEvent,
      payload: z.string().meta({ description: 'The body, as it is sent.' }),
    }),
  },
  'POST /account/:accountId/webhook/events/:eventId/replay': {
    summary: 'Send an event again, with the same id',
    params: accountParams.extend({ eventId }),
    reply: message,
  },
  'POST /account/:accountId/webhook/replay': {
    summary: 'Send all events again that a filter lets through, with the same ids',
    params: accountParams,
    body: z.strictObject(filter),
    reply: message,
  },
});

import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';
import { messageId } from './messages.ts';

/** Where a message is: nobody may send it yet, it waits, a worker has it, nobody knows, or it has its outcome. */
export const QUEUE_STATES = ['SCHEDULED', 'WAITING', 'CLAIMED', 'UNKNOWN', 'ENDED'] as const;

export const laneQueueCalls = defineCalls({
  'GET /job/:jobId/queue': {
    summary: "A message's lane, and what waits in it around the message (admin)",
    params: z.strictObject({ jobId: messageId }),
    reply: z.strictObject({
      state: z.enum(QUEUE_STATES),
      place: z
        .int()
        .nullable()
        .meta({ description: 'How many come before it by their time, while it waits; accounts take turns.' }),
      lane: z
        .strictObject({
          name: z.string(),
          channel: z.enum(CHANNELS),
          provider: z.string(),
          mode: z.string(),
          up: z.boolean().nullable(),
          reason: z.string().meta({ description: 'Why it is down.' }),
          waiting: z.int(),
          claimed: z.int(),
        })
        .nullable()
        .meta({ description: 'Null before its time.' }),
      messages: z
        .array(
          z.strictObject({
            _id: messageId,
            place: z.int(),
            email: z.string(),
            phone: z.string(),
            contactName: z
              .string()
              .meta({ description: 'What the account calls the recipient; empty without a name.' }),
            priority: z.int().meta({ description: '0 for singles, which go first.' }),
            due: z.iso.datetime(),
            attempts: z.int(),
          }),
        )
        .meta({ description: 'Those before and after it.' }),
    }),
  },
});

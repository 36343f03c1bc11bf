import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { messageId } from '../traffic/messages.ts';

/** How a phone is judged for a message; `null`: it may not have it. */
const phoneScore = z.strictObject({
  phoneName: z.string(),
  score: z.number().nullable(),
  sendsNow: z.boolean().meta({
    description:
      'Whether it could send it now. Otherwise it would wait there, and scores below all that could.',
  }),
  weight: z.number().meta({ description: 'Its share among phones with the same score.' }),
  transferJobRate: z.number(),
  idealVolume: z.int(),
  startedDays: z.int(),
  sentCount: z.int().meta({ description: 'Within 24 hours.' }),
  pendingCount: z.int(),
  stickyness: z.number().meta({ description: '1 for the phone that last wrote to this person.' }),
  chosen: z.boolean(),
  why: z.string(),
});

const job = z.strictObject({ jobId: messageId });

export const phoneTransferCalls = defineCalls({
  'GET /job/:jobId/transferPreview': {
    summary: 'How phones are judged for a message, the best first (admin)',
    params: job,
    query: z.strictObject({
      includeSelf: z.string().max(10).optional().meta({ description: 'Also the one that it is in.' }),
    }),
    reply: z.strictObject({ phoneScores: z.array(phoneScore) }),
  },
  'POST /job/:jobId/transfer': {
    summary: 'Move a message that waits to a phone, or to where routing sends it (admin)',
    params: job,
    body: z.strictObject({ phoneName: z.string().max(100).optional() }).default({}),
    reply: z.strictObject({
      toDevice: z.strictObject({
        phoneName: z.string().meta({ description: 'Or the name of another way out.' }),
      }),
    }),
  },
});

import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';
import { CHANNELS } from '../ground/channels.ts';

const unassignedId = z.string().regex(/^[1-9]\d{0,17}$/);

export const unassignedCalls = defineCalls({
  'GET /admin/unassigned': {
    summary: 'Incoming messages that belong to no account, newest first (admin)',
    query: z.strictObject({
      before: unassignedId.optional().meta({ description: 'The last one of the page before.' }),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.strictObject({
      messages: z.array(
        z.strictObject({
          _id: unassignedId,
          lane: z.string(),
          channel: z.enum(CHANNELS),
          from: z.string().meta({ description: 'Who wrote.' }),
          to: z.string().meta({ description: 'The number of ours that it was sent to.' }),
          message: z.string(),
          receivedAt: z.iso.datetime(),
        }),
      ),
      more: z.boolean(),
    }),
  },
});

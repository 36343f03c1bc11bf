import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';

/** What may need a hand, the most urgent first. */
export const CONCERNS = [
  'ledger',
  'in_doubt',
  'lanes',
  'sims_moved',
  'phones_down',
  'phones_validity',
  'phones_topup',
  'payments',
  'webhooks',
  'jobs',
  'disk',
  'retention',
] as const;

const concern = z.strictObject({
  kind: z.enum(CONCERNS),
  count: z.int().meta({ description: '1000 stands for more.' }),
  names: z.array(z.string()).meta({ description: 'Some of them, if they have names.' }),
  since: z.iso.datetime().nullable(),
});
export type Concern = z.infer<typeof concern>;

const traffic = z.strictObject({
  minute: z.iso.datetime(),
  accepted: z.int(),
  sent: z.int().meta({ description: 'What carriers accepted in this minute, whatever became of it later.' }),
  failed: z.int().meta({
    description:
      'What carriers refused, reported as failed or left unknown in this minute; not what an admin decided.',
  }),
  received: z.int(),
});

export const overviewCalls = defineCalls({
  'GET /admin/overview': {
    summary: 'What needs a hand now, and the traffic of the last hour (admin)',
    reply: z.strictObject({
      at: z.iso.datetime(),
      concerns: z.array(concern),
      traffic: z.array(traffic).meta({ description: 'Sixty minutes, the current one last.' }),
    }),
  },
});

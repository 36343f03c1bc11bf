import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';

const MOST_PREFIXES = 5_000;

const carrierPrefix = z.strictObject({
  prefix: z
    .string()
    .regex(/^\+[1-9]\d{0,14}$/)
    .meta({ description: 'The whole number, if it was ported to this carrier.' }),
  carrierName: z.string().trim().min(1).max(100),
});

export const carrierCalls = defineCalls({
  'GET /admin/carrierPrefixes': {
    summary: 'Which numbers belong to which carrier, by how they begin (admin)',
    reply: z.strictObject({ prefixes: z.array(carrierPrefix) }),
  },
  'PUT /admin/carrierPrefixes': {
    summary: 'Replace the table of carriers by prefix; the longest prefix counts (admin)',
    body: z.strictObject({
      prefixes: z
        .array(carrierPrefix)
        .max(MOST_PREFIXES)
        .refine((prefixes) => new Set(prefixes.map(({ prefix }) => prefix)).size === prefixes.length, {
          error: 'each prefix once',
        }),
    }),
    reply: z.strictObject({ status: z.literal('ok') }),
  },
});

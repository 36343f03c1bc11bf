import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';

/** Whether rules remove data, only report what they would remove, or do not run. */
export const RETENTION_MODES = ['on', 'dry-run', 'off'] as const;
export type RetentionMode = (typeof RETENTION_MODES)[number];

const RETENTION_RULES = [
  'closed-messages',
  'closed-texts',
  'closed-contacts',
  'closed-opt-outs',
  'closed-webhooks',
  'closed-profile',
  'closed-records',
  'closed-identity',
  'mail-copies',
] as const;
export type RetentionRuleName = (typeof RETENTION_RULES)[number];

const run = z.strictObject({
  rule: z.string(),
  ranAt: z.iso.datetime(),
  dryRun: z.boolean().meta({ description: 'It only counted what it would remove.' }),
  days: z.number().int(),
  cutoff: z.iso.datetime().meta({ description: 'What was older was meant.' }),
  rows: z.number().int(),
  upTo: z.iso.datetime().nullable().meta({ description: 'The youngest of what was removed.' }),
  endedAt: z.iso.datetime().nullable().meta({ description: 'Null while it runs, or if it was cut off.' }),
});
export type RetentionRun = z.infer<typeof run>;

export const retentionCalls = defineCalls({
  'GET /admin/retention': {
    summary: 'How long data is kept, what would be removed now, and what was removed (admin)',
    reply: z.strictObject({
      mode: z.enum(RETENTION_MODES),
      rules: z.array(
        z.strictObject({
          name: z.enum(RETENTION_RULES),
          days: z.number().int(),
          removes: z.string().meta({ description: 'What goes, in words.' }),
          due: z.number().int().meta({ description: 'How much would be removed now.' }),
          nextIsDry: z.boolean().meta({ description: 'Its next run only counts.' }),
          last: run.nullable(),
        }),
      ),
      log: z.array(run).meta({ description: 'The newest first.' }),
    }),
  },
});

import { z } from 'zod';
import { defineCalls } from '../ground/call.ts';

export const jobDashboardCalls = defineCalls({
  'POST /admin/jobs/ticket': {
    summary: 'A link to the pages of the job queue that works once, within a minute (admin)',
    reply: z.strictObject({ path: z.string() }),
  },
});

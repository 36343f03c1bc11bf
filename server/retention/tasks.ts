import type { Tasks } from '../task.ts';
import { carryOut, type RetentionDeps } from './carry-out.ts';

/** In the small hours of Hong Kong. */
export const retentionTasks = (deps: RetentionDeps): Tasks => ({
  'retention.carry-out': {
    cron: '47 19 * * *',
    retryLimit: 3,
    retryDelaySeconds: 600,
    run: (_, signal) => carryOut(deps, { now: new Date(), signal }),
  },
});

import type { Tasks } from '../../ground/queue/index.ts';
import { carryOut, type RetentionDeps } from './carry-out.ts';
import { readNow } from './store.ts';

/** At night in Hong Kong. */
export const retentionTasks = (deps: RetentionDeps): Tasks => ({
  'retention.carry-out': {
    cron: '47 19 * * *',
    retryLimit: 3,
    retryDelaySeconds: 600,
    run: async (_, signal) => carryOut(deps, { now: await readNow(deps.db), signal }),
  },
});

import { RESEND_DAYS } from '../../../contract/traffic/batches.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { removeOldResent } from './failed-store.ts';
import { countDue } from './tallies.ts';

export const batchTasks = ({ db }: { db: Db }): Tasks => ({
  'batches.count': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: (_, signal) => countDue(db, signal),
  },
  'batches.remove-old': {
    cron: '41 4 * * *',
    // By then the batch they failed in is too old for another round.
    run: () => removeOldResent(db, RESEND_DAYS + 1),
  },
});

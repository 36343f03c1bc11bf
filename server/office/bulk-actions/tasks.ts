import { z } from 'zod';
import { bulkActionId } from '../../../contract/office/bulk-actions.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { RUN_ACTION } from './begin-action.ts';
import type { BulkActionsDeps } from './bulk-actions-deps.ts';
import { runAction } from './run-action.ts';
import { endAction, removeOld } from './store.ts';

/** As long as messages can be searched for by what was done to them. */
const KEPT_DAYS = 60;

const asked = z.object({ actionId: bulkActionId });

export const bulkActionTasks = (deps: BulkActionsDeps): Tasks => ({
  [RUN_ACTION]: {
    // Admins do not wait for each other.
    concurrency: 4,
    run: (data, signal) => runAction(deps, asked.parse(data).actionId, signal),
    onGiveUp: (data) => endAction(deps.db, asked.parse(data).actionId, 'STOPPED'),
  },
  'bulk-actions.remove-old': { cron: '37 3 * * *', run: () => removeOld(deps.db, KEPT_DAYS) },
});

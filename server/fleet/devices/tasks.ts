import type { Tasks } from '../../ground/queue/index.ts';
import { sweepDeleted } from './delete-device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { forgetOldFiles } from './file-store.ts';
import { forgetOldDays } from './governor-store.ts';
import { logOutDeleted } from './log-out.ts';

export const deviceTasks = (deps: DevicesDeps): Tasks => ({
  'devices.sweep-deleted': { cron: '* * * * *', run: () => sweepDeleted(deps.db) },
  'devices.log-out-deleted': { cron: '* * * * *', run: () => logOutDeleted(deps) },
  'devices.forget-old': {
    cron: '41 4 * * *',
    run: async () => {
      await forgetOldFiles(deps.db);
      await forgetOldDays(deps.db);
    },
  },
});

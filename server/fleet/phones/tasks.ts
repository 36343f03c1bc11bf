import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { forgetOldRecipients } from '../../traffic/lanes/index.ts';
import { forgetOldBalances } from './balance-store.ts';
import { countUsage } from './count-usage.ts';

export const phoneTasks = ({ db }: { db: Db }): Tasks => ({
  'phones.count-usage': { cron: '* * * * *', run: () => countUsage(db) },
  'phones.forget-old': {
    cron: '23 4 * * *',
    run: async () => {
      await forgetOldBalances(db);
      await forgetOldRecipients(db);
    },
  },
});

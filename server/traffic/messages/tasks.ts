import type { Db } from '../../ground/postgres/index.ts';
import type { Tasks } from '../../ground/queue/index.ts';
import { copyTexts } from './export/texts-store.ts';

/** As much as one transaction copies. */
const TEXTS_SPAN_MINUTES = 60;

export const messageTasks = ({ db }: { db: Db }): Tasks => ({
  'messages.copy-texts': {
    cron: '* * * * *',
    // The next minute's run is the retry.
    retryLimit: 0,
    run: async (_, signal) => {
      while (!signal.aborted && (await copyTexts(db, TEXTS_SPAN_MINUTES)));
    },
  },
});

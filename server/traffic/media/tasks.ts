import type { Tasks } from '../../ground/queue/index.ts';
import { fetchMedia, type MediaDeps } from './fetch-media.ts';
import { findExpired, markRemoved } from './store.ts';

/** The privacy text says: what is not kept for longer reasons is removed within 60 days. */
const MEDIA_KEPT_DAYS = 60;
const AT_ONCE = 500;

export const mediaTasks = (deps: MediaDeps): Tasks => ({
  'media.fetch': {
    // In addition to the wake signal: deferred files are due some time later.
    cron: '* * * * *',
    retryLimit: 0,
    run: (_, signal) => fetchMedia(deps, signal),
  },
  'media.remove-old': {
    cron: '13 4 * * *',
    run: async () => {
      const { db, files } = deps;
      for (;;) {
        const expired = await findExpired(db, { days: MEDIA_KEPT_DAYS, limit: AT_ONCE });
        for (const id of expired) await files.remove(id);
        if (expired.length > 0) await markRemoved(db, expired);
        if (expired.length < AT_ONCE) break;
      }
      await files.removeUnfinished();
    },
  },
});

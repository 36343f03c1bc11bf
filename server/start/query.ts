import type { Log } from '../log/index.ts';

/** The role query: it can be asked for, and serves nothing yet. The SQL tool will run here, apart from web and worker. */
export const startQuery = (log: Log): void => {
  log.debug('the role query has nothing to serve yet');
};

import { openConcurrencyLimit } from '../../ground/limits/index.ts';
import { type CallerRoutes, requireOwnAccount } from '../../ground/route/index.ts';
import { type ViewDeps, viewMessages } from './details/view-message.ts';
import { SLOT_WAIT_MS } from './search/in-time.ts';
import { readSearch } from './search/read-search.ts';
import { type SearchDeps, searchMessages } from './search/search.ts';

export interface ListDeps extends SearchDeps, ViewDeps {
  /** How many database connections this process has in all. */
  connections?: number;
}
/**
 * However many people search, searches get only this part of the connections: accepting and delivering need the others.
 */
const SEARCHES_SHARE = 0.2;

export const messageRoutes = ({ db, readPhoneHosts, limitMs, connections = 1 }: ListDeps): CallerRoutes => {
  const maxConcurrent = Math.max(1, Math.floor(connections * SEARCHES_SHARE));
  const limited = openConcurrencyLimit(maxConcurrent, { maxWaitMs: SLOT_WAIT_MS });
  return {
    'GET /account/:accountId/messages': async ({ caller, params, query, language, hungUp }) => {
      requireOwnAccount(caller, params.accountId);
      const { search, place } = await readSearch(db, caller, query);
      const turn = { signal: hungUp, key: caller.accountId };
      const { messages, total } = await limited(() => searchMessages({ db, limitMs }, search, place), turn);
      return {
        messages: await viewMessages({ db, readPhoneHosts }, messages, { admin: caller.admin, language }),
        total,
      };
    },
  };
};

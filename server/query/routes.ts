import type { AccountId } from '../../contract/accounts.ts';
import type { Db } from '../postgres/index.ts';
import type { CallerRoutes } from '../route/index.ts';
import type { Asker } from './ask.ts';
import { deleteBookmarks, listBookmarks } from './bookmark-store.ts';
import { keepBookmark } from './keep-bookmark.ts';
import type { QueryLink } from './query-link.ts';
import { listQueries } from './store.ts';

export interface QueryDeps {
  db: Db;
  link: Pick<QueryLink, 'ask'>;
  emailOf: (accountId: AccountId) => Promise<string | undefined>;
}

const OK = { status: 'ok' } as const;

/** The query tool as its page uses it: statements are passed on to the service in the admin's name. */
export const adminQueryRoutes = ({ db, link, emailOf }: QueryDeps): CallerRoutes => {
  /** The service answers by the schema of the same name, and the reply is checked against it again. */
  const passOn =
    (action: string) =>
    async ({
      body,
      caller: { accountId },
      entryId,
      language,
      hungUp,
    }: Omit<Asker, 'accountId'> & { body: object; caller: { accountId: AccountId } }) =>
      (await link.ask(action, body, { accountId, entryId, language, hungUp })) as never;
  return {
    'GET /qf/zones': ({ caller, language, hungUp }) =>
      passOn('zones')({ body: {}, caller, language, hungUp }),
    'POST /qf/sql_database': passOn('sql_database'),
    'POST /qf/sql_query': passOn('sql_query'),
    'POST /qf/sql_tables': passOn('sql_tables'),
    'POST /qf/sql_cancel': passOn('sql_cancel'),
    'POST /qf/merchants': passOn('merchants'),
    'GET /qf/history': async ({ caller }) => ({ queries: await listQueries(db, caller.accountId) }),
    'GET /qf/bookmarks': async ({ caller }) => {
      const kept = await listBookmarks(db, caller.accountId);
      const owners = [...new Set(kept.map(({ accountId }) => accountId))];
      const emails = new Map(await Promise.all(owners.map(async (id) => [id, await emailOf(id)] as const)));
      return {
        bookmarks: kept.map(({ accountId, zoneId, ...same }) => ({
          ...same,
          zone_id: zoneId,
          own: accountId === caller.accountId,
          owner: emails.get(accountId) ?? '',
        })),
      };
    },
    'PUT /qf/bookmarks/:bookmarkId': async ({ params, body, caller, changed }) => {
      const { zone_id: zoneId, copy = false, ...same } = body;
      changed({ after: { database: same.database, shared: same.shared } });
      await keepBookmark(db, { ...same, copy, zoneId, accountId: caller.accountId, id: params.bookmarkId });
      return OK;
    },
    'DELETE /qf/bookmarks/:bookmarkId': async ({ params, caller, changed }) => {
      changed({ before: { bookmarks: await deleteBookmarks(db, caller.accountId, params.bookmarkId) } });
      return OK;
    },
    'DELETE /qf/bookmarks': async ({ caller, changed }) => {
      changed({ before: { bookmarks: await deleteBookmarks(db, caller.accountId) } });
      return OK;
    },
  };
};

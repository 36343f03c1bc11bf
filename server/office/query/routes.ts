import type { AccountId } from '../../../contract/customer/accounts.ts';
import { SERVICE_KEY } from '../../../contract/office/query.ts';
import type { Db } from '../../ground/postgres/index.ts';
import type { CallerRoutes } from '../../ground/route/index.ts';
import type { Asker } from './ask.ts';
import { deleteBookmarks, listBookmarks } from './bookmark-store.ts';
import { keepBookmark } from './keep-bookmark.ts';
import type { QueryLink } from './query-link.ts';
import { listLingering, listQueries } from './store.ts';
import { findWithheld, giveBackTurn, listWithheld } from './withheld-store.ts';

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

/** Of the caller alone; the page asks again and again while something stands in the way. */
export const queryStandingRoutes = ({ db }: QueryDeps): CallerRoutes => ({
  'GET /qf/standing': async ({ caller: { accountId } }) => {
    const until = await findWithheld(db, accountId);
    const lingering = await listLingering(db, accountId);
    return {
      lingering: lingering.map(({ zoneId, since }) => ({ zone_id: zoneId, since: since.toISOString() })),
      withheldUntil: until?.toISOString() ?? null,
    };
  },
});

/** A turn that is withheld is an owner's to give back. */
export const ownerQueryRoutes = ({ db, emailOf }: QueryDeps): CallerRoutes => ({
  'GET /qf/withheld': async () => ({
    turns: await Promise.all(
      (await listWithheld(db)).map(async ({ accountId, until }) => ({
        accountId: accountId ?? SERVICE_KEY,
        email: (accountId && (await emailOf(accountId))) ?? null,
        until: until.toISOString(),
      })),
    ),
  }),
  'DELETE /qf/withheld/:accountId': async ({ params: { accountId }, changed }) => {
    const whose = accountId === SERVICE_KEY ? undefined : (accountId as AccountId);
    const until = await giveBackTurn(db, whose);
    changed({ before: { withheldUntil: until?.toISOString() ?? null }, after: { withheldUntil: null } });
    return OK;
  },
});

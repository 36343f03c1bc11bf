import { type Generated, sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Db } from '../../ground/postgres/index.ts';

interface BookmarksTable {
  account_id: AccountId;
  id: string;
  query: string;
  database_name: string;
  zone_id: number;
  shared: boolean;
  deleted: Generated<boolean>;
}
const tables = (db: Db) => db.withTables<{ query_bookmarks: BookmarksTable }>();

export interface KeptBookmark {
  accountId: AccountId;
  id: string;
  query: string;
  database: string;
  zoneId: number;
  shared: boolean;
}

/** An admin's own, and those that others share; the newest first. */
export const listBookmarks = async (db: Db, accountId: AccountId): Promise<KeptBookmark[]> => {
  const rows = await tables(db)
    .selectFrom('query_bookmarks')
    .select(['account_id', 'id', 'query', 'database_name', 'zone_id', 'shared'])
    .where((eb) => eb.or([eb('account_id', '=', accountId), eb('shared', '=', true)]))
    .where('deleted', '=', false)
    .orderBy('id', 'desc')
    .limit(2_000)
    .execute();
  return rows.map(({ account_id, database_name, zone_id, ...same }) => ({
    ...same,
    accountId: account_id,
    database: database_name,
    zoneId: zone_id,
  }));
};

/** An admin's bookmarks are kept one after another, so that they can be counted. For a transaction. */
export const lockBookmarksOf = async (trx: Db, accountId: AccountId): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('bookmarks', hashtext(${accountId})))`.execute(trx);
};

/** The bookmarks of the same admin besides this one, and the characters of their queries. */
export const countOthers = async (
  db: Db,
  { accountId, id }: Pick<KeptBookmark, 'accountId' | 'id'>,
): Promise<{ count: number; characters: number }> => {
  const { count, characters } = await tables(db)
    .selectFrom('query_bookmarks')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .select(sql<bigint>`coalesce(sum(length(query)), 0)`.as('characters'))
    .where('account_id', '=', accountId)
    .where('id', '!=', id)
    .where('deleted', '=', false)
    .executeTakeFirstOrThrow();
  return { count: Number(count), characters: Number(characters) };
};

/** Doesn't store a bookmark again that another tab has deleted meanwhile. */
export const upsertBookmark = async (
  db: Db,
  bookmark: KeptBookmark,
  { copy }: { copy: boolean },
): Promise<void> => {
  const kept = {
    query: bookmark.query,
    database_name: bookmark.database,
    zone_id: bookmark.zoneId,
    shared: bookmark.shared,
    deleted: false,
  };
  await tables(db)
    .insertInto('query_bookmarks')
    .values({ account_id: bookmark.accountId, id: bookmark.id, ...kept })
    .onConflict((conflict) => {
      const known = conflict.columns(['account_id', 'id']).doUpdateSet(kept);
      return copy ? known.where('query_bookmarks.deleted', '=', false) : known;
    })
    .execute();
};

/** One of the admin's own, or all of them. Returns the ids of those that there were. */
export const deleteBookmarks = async (db: Db, accountId: AccountId, id?: string): Promise<string[]> => {
  let statement = tables(db)
    .updateTable('query_bookmarks')
    .set({ deleted: true, shared: false, query: '' })
    .where('account_id', '=', accountId)
    .where('deleted', '=', false);
  if (id !== undefined) statement = statement.where('id', '=', id);
  const deleted = await statement.returning('id').execute();
  return deleted.map((bookmark) => bookmark.id);
};

import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { PastQuery, QueryOutcome } from '../../../contract/office/query.ts';
import { type Db, inSeconds, newId } from '../../ground/postgres/index.ts';

interface QueriesTable {
  id: string;
  account_id: AccountId | null;
  entry_id: string | null;
  zone_id: number;
  database_name: string;
  sql: string;
  outcome: QueryOutcome;
  message: string;
  row_count: number | null;
  elapsed_ms: number | null;
  backend: string | null;
  lingering_since: Date | null;
  killed_at: Date | null;
  created_at: Date;
}
const tables = (db: Db) => db.withTables<{ queries: QueriesTable }>();

const HISTORY = 100;

interface Asked {
  accountId: AccountId | undefined;
  entryId?: string | undefined;
  zoneId: number;
  database: string;
  sql: string;
}

/** Written before the statement runs, so that there is no statement without its record. */
export const insertQuery = async (
  db: Db,
  { accountId, entryId, zoneId, database, sql }: Asked,
): Promise<string> => {
  const id = newId();
  await tables(db)
    .insertInto('queries')
    // PostgreSQL's texts can't hold a NUL.
    .values({
      id,
      account_id: accountId ?? null,
      entry_id: entryId ?? null,
      zone_id: zoneId,
      database_name: database.replaceAll('\0', '�'),
      sql: sql.replaceAll('\0', '�'),
    } as QueriesTable)
    .execute();
  return id;
};

interface Ended {
  outcome: QueryOutcome;
  message: string;
  rowCount: number | undefined;
  elapsedMs: number;
}

export const updateQuery = async (
  db: Db,
  id: string,
  { outcome, message, rowCount, elapsedMs }: Ended,
): Promise<void> => {
  await tables(db)
    .updateTable('queries')
    .set({ outcome, message: message.slice(0, 2_000), row_count: rowCount ?? null, elapsed_ms: elapsedMs })
    .where('id', '=', id)
    .execute();
};

/** What its database knows it by, before it runs there. */
export const noteBackend = async (db: Db, id: string, backend: string): Promise<void> => {
  await tables(db).updateTable('queries').set({ backend }).where('id', '=', id).execute();
};

/** Its end was told, and it goes on. */
export const noteLingering = async (
  db: Db,
  id: string,
  { backend, since }: { backend: string; since: Date },
): Promise<void> => {
  await tables(db)
    .updateTable('queries')
    .set({ backend, lingering_since: since })
    .where('id', '=', id)
    .execute();
};

export interface LeftQuery {
  id: string;
  accountId: AccountId | null;
  zoneId: number;
  database: string;
  backend: string | null;
  createdAt: Date;
  /** Null: it is not known whether its end was told. */
  lingeringSince: Date | null;
}

/** What is written down as running, and at work somewhere, or too old for any service that lives to wait for it. */
export const listLeft = async (db: Db, olderThanMs: number): Promise<LeftQuery[]> =>
  tables(db)
    .selectFrom('queries')
    .select([
      'id',
      'account_id as accountId',
      'zone_id as zoneId',
      'database_name as database',
      'backend',
      'created_at as createdAt',
      'lingering_since as lingeringSince',
    ])
    .where('outcome', '=', 'running')
    .where((the) =>
      the.or([the('created_at', '<', inSeconds(-olderThanMs / 1_000)), the('backend', 'is not', null)]),
    )
    .execute();

export const endLeft = async (db: Db, id: string, message: string): Promise<void> => {
  await tables(db)
    .updateTable('queries')
    .set({ outcome: 'failed', message })
    .where('id', '=', id)
    .where('outcome', '=', 'running')
    .execute();
};

/** For the metric, and for the page of who asked. */
export const listLingering = async (
  db: Db,
  accountId?: AccountId,
): Promise<{ zoneId: number; since: Date }[]> =>
  tables(db)
    .selectFrom('queries')
    .select(['zone_id as zoneId', 'lingering_since as since'])
    .where('outcome', '=', 'running')
    .where('lingering_since', 'is not', null)
    .$narrowType<{ since: Date }>()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId as AccountId))
    .orderBy('lingering_since')
    .execute();

/** The latest of an admin, each statement once for each run. */
export const listQueries = async (db: Db, accountId: AccountId): Promise<PastQuery[]> => {
  const rows = await tables(db)
    .selectFrom('queries')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .limit(HISTORY)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    zone_id: row.zone_id,
    database: row.database_name,
    sql: row.sql,
    outcome: row.outcome,
    rows: row.row_count,
    elapsed_ms: row.elapsed_ms,
    createdAt: row.created_at.toISOString(),
  }));
};

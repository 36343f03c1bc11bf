import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';

/** Bigint columns are money and counters: they arrive as bigint, never as a float. For our pools only, not for pg-boss's. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
};

/** Each room narrows it to the tables that it owns by `db.withTables<…>()`. */
// biome-ignore lint/complexity/noBannedTypes: Kysely's own way to say 'no tables yet'.
export type Db = Kysely<{}>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  close: () => Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  max: number;
  onError: (error: Error) => void;
}

export const openDatabase = ({ url, max, onError }: DatabaseOptions): Database => {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max,
    types,
    application_name: 'posthorn',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', onError);
  // The same for one that breaks in the middle of a transaction, between two statements: the next one fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  // biome-ignore lint/complexity/noBannedTypes: see Db.
  const db = new Kysely<{}>({ dialect: new PostgresDialect({ pool }) });
  // Kysely ends the pool only if a query ever went through it; idle connections would hold the process for 30 s.
  const close = async () => {
    await db.destroy();
    if (!pool.ended) await pool.end();
  };
  return { db, pool, close };
};

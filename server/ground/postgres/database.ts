import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PreparingClient } from './prepared.ts';

/** Bigint columns are money and counters: they arrive as bigint, never as a float. For our pools only, not for pg-boss's. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? (text: string) => BigInt(text) : pg.types.getTypeParser(oid, format),
};

/** Each room narrows it to the tables that it owns with `db.withTables<…>()`. */
// biome-ignore lint/complexity/noBannedTypes: Kysely's own way to say 'no tables yet'.
export type Db = Kysely<{}>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** Throws while the database can't be reached. */
  ping: () => Promise<void>;
  close: () => Promise<void>;
}

interface DatabaseOptions {
  url: string;
  max: number;
  onError: (error: Error) => void;
}

/** Plans are made once, without looking at the values, and use only indexes. */
const INDEX_ONLY_PLANS = [
  'plan_cache_mode=force_generic_plan',
  ...['seqscan', 'bitmapscan', 'mergejoin'].map((way) => `enable_${way}=off`),
];

const steady = new WeakMap<Db, Db>();

/** The same database through connections for statements that run thousands of times: see `prepared`. */
export const preparedPool = (db: Db): Db => {
  const found = steady.get(db);
  if (!found) throw new Error('not a database that was opened here');
  return found;
};

const openPool = ({ url, max, onError }: DatabaseOptions, settings: string[]): pg.Pool => {
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
  // The same for a connection that breaks in the middle of a transaction, between two statements: the next one fails.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    // Before all else: a connection runs its statements in order.
    if (settings.length > 0)
      client.query(settings.map((setting) => `set ${setting}`).join('; ')).catch(onError);
  });
  return pool;
};

// biome-ignore lint/complexity/noBannedTypes: see Db.
const openKysely = (pool: pg.Pool): Db => new Kysely<{}>({ dialect: new PostgresDialect({ pool }) });

export const openDatabase = (options: DatabaseOptions): Database => {
  const pools = [openPool(options, []), openPool(options, INDEX_ONLY_PLANS)] as const;
  const [db, steadyDb] = [openKysely(pools[0]), openKysely(pools[1])];
  steady.set(db, steadyDb);
  // Kysely ends the pool only if a query ever used it; idle connections would keep the process alive for 30 s.
  const close = async () => {
    await Promise.all([db.destroy(), steadyDb.destroy()]);
    for (const pool of pools) if (!pool.ended) await pool.end();
  };
  const ping = async () => void (await pools[0].query('select 1'));
  return { db, pool: pools[0], ping, close };
};

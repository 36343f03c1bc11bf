import pg from 'pg';

/** Any constant: the holder of this advisory lock owns the data folder. */
const LOCK = 7_670_484_680;

export const socketUrl = (socketFolder: string, database: string): string =>
  `postgresql://posthorn@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}`;

/**
 * `held`: a living program owns the folder. `busy`: PostgreSQL is starting, recovering or stopping.
 * `silent`: nothing listens there.
 */
type LockAnswer = pg.Client | 'held' | 'busy' | 'silent';

/** Connects as the owner does and asks; how it went where nobody answers. */
const ask = async <Answer>(
  socketFolder: string,
  question: (client: pg.Client) => Promise<Answer>,
): Promise<Answer | 'busy' | 'silent'> => {
  const client = new pg.Client({
    // Advisory locks belong to a database: always use this one.
    connectionString: socketUrl(socketFolder, 'postgres'),
    application_name: 'posthorn-owner',
    connectionTimeoutMillis: 5_000,
  });
  // A connection that breaks also ends, and the owner listens for its end.
  client.on('error', () => {});
  try {
    await client.connect();
    return await question(client);
  } catch (error) {
    await client.end().catch(() => {});
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'silent';
    // 57P..: it is shutting down or starting, or has just ended its sessions.
    if (code?.startsWith('57P') || code === 'ECONNRESET' || code === 'EPIPE') return 'busy';
    if (/terminated|timeout/i.test(message)) return 'busy';
    throw error;
  }
};

/** Requests the owner's lock; it lasts as long as the returned connection. */
export const askForLock = (socketFolder: string): Promise<LockAnswer> =>
  ask(socketFolder, async (client) => {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [LOCK]);
    if (rows[0]?.free) return client;
    await client.end();
    return 'held';
  });

/** Whether a living program owns the folder. Looks only: its owner may be about to take the lock again. */
export const isOwned = async (socketFolder: string): Promise<boolean> => {
  const answer = await ask(socketFolder, async (client) => {
    const { rowCount } = await client.query(
      "select from pg_locks where locktype = 'advisory' and granted and (classid::bigint << 32) + objid::bigint = $1",
      [LOCK],
    );
    await client.end();
    return rowCount !== 0;
  });
  return answer === true;
};

export const ensureDatabase = async (client: pg.Client): Promise<void> => {
  const { rowCount } = await client.query("select from pg_database where datname = 'posthorn'");
  if (rowCount === 0) await client.query('create database posthorn');
};

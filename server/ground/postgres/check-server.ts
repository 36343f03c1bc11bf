import pg from 'pg';
import { StartFault } from '../terminal/index.ts';

const OLDEST = 15;

/** Explains in one sentence why the database of DATABASE_URL can't be used, or says how far our clock is ahead of its. */
export const checkServer = async (url: string): Promise<{ clockAheadMs: number }> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const askedAt = Date.now();
    const { rows } = await client.query<{ version: number; at: Date }>(
      "select current_setting('server_version_num')::int / 10000 as version, clock_timestamp() as at",
    );
    const { version = 0, at = new Date() } = rows[0] ?? {};
    if (version < OLDEST)
      throw new StartFault(`DATABASE_URL leads to PostgreSQL ${version}; Posthorn needs ${OLDEST} or later.`);
    // The server's clock was read halfway through the round trip.
    return { clockAheadMs: (askedAt + Date.now()) / 2 - at.getTime() };
  } catch (error) {
    if (error instanceof StartFault) throw error;
    const reason = (error as Error).message || (error as { code?: string }).code;
    throw new StartFault(`The database of DATABASE_URL can't be reached: ${reason}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
};

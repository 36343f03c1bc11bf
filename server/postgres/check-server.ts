import pg from 'pg';
import { StartFault } from '../terminal/index.ts';

const OLDEST = 15;

/** Explains in one sentence why the database of DATABASE_URL can't be used. */
export const checkServer = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int / 10000 as version",
    );
    const version = rows[0]?.version ?? 0;
    if (version < OLDEST)
      throw new StartFault(`DATABASE_URL leads to PostgreSQL ${version}; Posthorn needs ${OLDEST} or later.`);
  } catch (error) {
    if (error instanceof StartFault) throw error;
    const reason = (error as Error).message || (error as { code?: string }).code;
    throw new StartFault(`The database of DATABASE_URL can't be reached: ${reason}.`, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
};

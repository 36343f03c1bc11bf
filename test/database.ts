import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../server/ground/postgres/index.ts';

export interface TestDatabase extends Database {
  url: string;
  /** Closes the connections and drops the database. */
  close: () => Promise<void>;
}

const POOL = 5;

const make = async (template: string | undefined) => {
  const maintenance = openDatabase({ url: inject('postgresUrl'), max: 1, onError: () => {} });
  const name = `${inject('databasePrefix')}_${randomBytes(6).toString('hex')}`;
  await maintenance.pool.query(`create database ${name}${template ? ` template ${template}` : ''}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  const drop = async () => {
    await maintenance.pool.query(`drop database ${name} with (force)`);
    await maintenance.close();
  };
  return { url: url.href, drop };
};

/** A migrated database for one test file: `afterAll(database.close)`. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const { url, drop } = await make(inject('databasePrefix'));
  const database = openDatabase({ url, max: POOL, onError: () => {} });
  return {
    ...database,
    url,
    close: async () => {
      await database.close();
      await drop();
    },
  };
};

/** A database without any table: for programs that migrate it themselves. */
export const emptyDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => make(undefined);

import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { type Database, migrate, openDatabase } from '../server/postgres/index.ts';

export interface TestDatabase extends Database {
  url: string;
  /** Closes the connections and drops the database. */
  close: () => Promise<void>;
}

const MIGRATIONS = join(import.meta.dirname, '../server/migrations');
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

const open = ({ url, drop }: Awaited<ReturnType<typeof make>>): TestDatabase => {
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

/** A migrated database for one test file: `afterAll(database.close)`. */
export const testDatabase = async (): Promise<TestDatabase> => open(await make(inject('databasePrefix')));

/** A database without any table: for programs that migrate it themselves. */
export const emptyDatabase = async (): Promise<{ url: string; drop: () => Promise<void> }> => make(undefined);

/** A database of an older version: it has the migrations before the named one, and the test applies the others. */
export const olderDatabase = async (firstMissing: string): Promise<TestDatabase> => {
  const made = await make(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-migrations-'));
  try {
    for (const name of await readdir(MIGRATIONS))
      if (name < firstMissing) await cp(join(MIGRATIONS, name), join(folder, name));
    await migrate(made.url, pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return open(made);
};

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../server/ground/embedded-postgres/index.ts';
import { migrate, openDatabase } from '../server/ground/postgres/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of this run, by its maintenance database. */
    postgresUrl: string;
    /** The prefix of every database of this run, and the name of the migrated template. */
    databasePrefix: string;
    /** Of this run, for what one test file makes and others use. */
    sharedFolder: string;
  }
}

/** TEST_DATABASE_URL names a PostgreSQL to use instead of an embedded one; its user must be able to create databases. */
const openPostgres = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  if (process.env.TEST_DATABASE_URL) return { url: process.env.TEST_DATABASE_URL, stop: async () => {} };
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-test-'));
  const embedded = await startEmbedded({ dataDir, say: () => {}, fsync: false });
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** One PostgreSQL for the whole run, with one migrated database that test files clone. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await openPostgres();
  const prefix = `test_${randomBytes(4).toString('hex')}`;
  const url = new URL(postgres.url);
  url.pathname = '/postgres';
  const { pool, close } = openDatabase({ url: url.href, max: 1, onError: () => {} });
  await pool.query(`create database ${prefix}`);
  const template = new URL(url);
  template.pathname = `/${prefix}`;
  await migrate(template.href);
  // Nobody may connect to it any more, so that it can be cloned at any moment.
  await pool.query(`alter database ${prefix} allow_connections false`);
  project.provide('postgresUrl', url.href);
  project.provide('databasePrefix', prefix);
  const sharedFolder = await mkdtemp(join(tmpdir(), 'posthorn-shared-'));
  project.provide('sharedFolder', sharedFolder);
  return async () => {
    await rm(sharedFolder, { recursive: true, force: true });
    const { rows } = await pool.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of rows) await pool.query(`drop database ${name} with (force)`);
    await close();
    await postgres.stop();
  };
};

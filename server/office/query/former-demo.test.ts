import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepFact } from '../../ground/installation/index.ts';
import { type Database, migrate, openDatabase } from '../../ground/postgres/index.ts';
import { openZonesServer, type ZonesServer } from '../../start/zones-server.ts';
import { dropFormerDemoZones, makeDemoZones } from './index.ts';

let folder: string;
/** In the place of the server that has the program's own data: the names are the same for all of a server. */
let server: ZonesServer;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-former-'));
  server = await openZonesServer({ dataDir: folder, say: () => {}, fsync: false });
  await migrate(server.url);
  database = openDatabase({ url: server.url, max: 1, onError: () => {} });
}, 120_000);
afterAll(async () => {
  await database?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const made = async (): Promise<string[]> => {
  const { rows } = await database.pool.query(
    "select datname as name from pg_database where datname like 'merchant%' union select rolname from pg_roles where rolname = 'posthorn_query' order by 1",
  );
  return rows.map(({ name }) => name);
};
const DEMO = ['merchant_hk', 'merchant_oversea_qa', 'posthorn_query'];

test('what an earlier version made beside the program’s data is dropped once, and nothing that has only its name', async () => {
  await makeDemoZones(database.db, server);
  await dropFormerDemoZones(database.db);
  expect(await made()).toEqual(DEMO);

  await keepFact(database.db, 'query_demo', 'made');
  await dropFormerDemoZones(database.db);
  expect(await made()).toEqual([]);

  await database.pool.query('create database merchant_hk');
  await dropFormerDemoZones(database.db);
  expect(await made()).toEqual(['merchant_hk']);
}, 120_000);

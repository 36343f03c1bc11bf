import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabase } from '../../../test/database.ts';
import { migrate, openDatabase } from './index.ts';

/** A version of the program with these migrations, by name. */
const version = async (files: Record<string, string>): Promise<URL> => {
  const folder = await mkdtemp(join(tmpdir(), 'posthorn-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return pathToFileURL(`${folder}/`);
};

/** A database that was made by the version with these migrations. */
const databaseOf = async (files: Record<string, string>): Promise<string> => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  expect(await migrate(url, await version(files))).toEqual(Object.keys(files));
  return url;
};

const FIRST = {
  '0001_accounts.sql': 'create table accounts ()',
  '0002_wallet.sql': 'create table wallets ()',
};

test('a newer version applies only what is missing', async () => {
  const url = await databaseOf(FIRST);
  const newer = await version({ ...FIRST, '0003_phones.sql': 'create table phones ()' });
  expect(await migrate(url, newer)).toEqual(['0003_phones.sql']);
  expect(await migrate(url, newer)).toEqual([]);
});

test('an older version does not start on a newer database', async () => {
  const url = await databaseOf({ ...FIRST, '0003_phones.sql': 'create table phones ()' });
  await expect(migrate(url, await version(FIRST))).rejects.toThrow(
    'This database was migrated by a newer Posthorn (0003_phones.sql): start that version instead.',
  );
});

test('a migration that was changed after it was applied is refused, and nothing after it runs', async () => {
  const url = await databaseOf(FIRST);
  const changed = {
    ...FIRST,
    '0002_wallet.sql': 'create table purses ()',
    '0003_x.sql': 'create table x ()',
  };
  await expect(migrate(url, await version(changed))).rejects.toThrow(
    'The migration 0002_wallet.sql was changed after this database had applied it',
  );
  const { pool, close } = openDatabase({ url, max: 1, onError: () => {} });
  const { rows } = await pool.query(
    "select to_regclass('x') as later, to_regclass('wallets') is null as lost",
  );
  await close();
  expect(rows).toEqual([{ later: null, lost: false }]);
});

test('a database of before the migrations were folded is told so', async () => {
  const url = await databaseOf({
    '0001_accounts.sql': 'create table accounts (email text)',
    '0002_wallets.sql': 'create table wallets ()',
    '0066_identifier.sql': 'alter table accounts add column identifier text',
  });
  await expect(migrate(url)).rejects.toThrow('This database was made by an unreleased version of Posthorn');
});

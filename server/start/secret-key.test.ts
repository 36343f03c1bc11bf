import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { openSecretKey } from './secret-key.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('is made once, for its owner only, and another key is refused from then on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-key-'));
  const [one, two] = await Promise.all([
    openSecretKey(undefined, dataDir, database),
    openSecretKey(undefined, dataDir, database),
  ]);
  expect(one).toEqual(two);
  expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
  await expect(openSecretKey('ab'.repeat(32), dataDir, database)).rejects.toThrow(/sealed with another key/);
});

import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFact, keepFact } from '../ground/installation/index.ts';
import type { Database } from '../ground/postgres/index.ts';
import { StartFault } from '../ground/terminal/index.ts';

export const KEY_FILE = 'secret.key';

const readOrMake = async (dataDir: string): Promise<string> => {
  const path = join(dataDir, KEY_FILE);
  await mkdir(dataDir, { recursive: true });
  // Written under another name first: a process that starts at the same moment must not read half of it.
  const written = `${path}.${randomBytes(8).toString('hex')}`;
  await writeFile(written, randomBytes(32).toString('hex'), { flag: 'wx', mode: 0o600 });
  try {
    await link(written, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(written);
  }
  return (await readFile(path, 'utf8')).trim();
};

/**
 * The key that encrypts API secrets: SECRET_KEY, or one created once in the data folder. The database stores its
 * fingerprint, so that a process with another key stops here instead of failing later.
 */
export const openSecretKey = async (
  given: string | undefined,
  dataDir: string,
  { db }: Pick<Database, 'db'>,
): Promise<Buffer> => {
  const key = Buffer.from(given ?? (await readOrMake(dataDir)), 'hex');
  if (key.length !== 32)
    throw new StartFault(
      `${join(dataDir, KEY_FILE)} is damaged: restore it from a backup or set SECRET_KEY.`,
    );
  const fingerprint = createHash('sha256').update('posthorn secret key').update(key).digest('hex');
  await keepFact(db, 'secret_key', fingerprint);
  if ((await findFact(db, 'secret_key')) !== fingerprint)
    throw new StartFault(
      `This database's secrets are sealed with another key: set SECRET_KEY to the content of ${KEY_FILE} in the data folder of the process that first used it.`,
    );
  return key;
};

import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { type Embedded, joinEmbedded, startEmbedded } from '../ground/embedded-postgres/index.ts';
import { type Log, openLog } from '../ground/log/index.ts';
import { checkServer, type Database, migrate, openDatabase } from '../ground/postgres/index.ts';
import { StartFault } from '../ground/terminal/index.ts';
import { openSecretKey } from './secret-key.ts';

/** What every command needs: a migrated database, its key, a log. */
export interface Installation {
  config: Config;
  url: string;
  database: Database;
  key: Buffer;
  log: Log;
  embedded: Embedded | undefined;
  /** How far this machine's clock is ahead of the database's, where that is another program's. */
  clockAheadMs: number | undefined;
  migrated: string[];
  close: () => Promise<void>;
}

const makeDataDir = (dataDir: string): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      {
        EEXIST: 'it is a file',
        ENOTDIR: 'part of its path is a file',
        EACCES: 'it may not be written',
        EROFS: 'the disk is read-only',
        ENOSPC: 'the disk is full',
      }[code ?? ''] ?? message;
    throw new StartFault(`The data folder ${dataDir} can't be used: ${reason}.`, { cause: error });
  }
};

interface OpenOptions {
  say: (line: string) => void;
  /**
   * A command works beside a running program, and starts the embedded database where none runs. `for-good`: a process of
   * the program waits for the database, because whoever starts it owns it, and only the program starts it again.
   */
  beside?: boolean | 'for-good';
}

const LOOK_AGAIN_MS = 200;

const joinForGood = async (dataDir: string, log: Log): Promise<Embedded> => {
  let told = false;
  for (;;) {
    const joined = await joinEmbedded(dataDir);
    if (joined) return joined;
    if (!told) log.warn('the database of the program is away; it is waited for');
    told = true;
    await sleep(LOOK_AGAIN_MS);
  }
};

export const openInstallation = async (
  config: Config,
  { say, beside = false }: OpenOptions,
): Promise<Installation> => {
  makeDataDir(config.DATA_DIR);
  // On the embedded database a person is watching the terminal, so the log goes to a file.
  const log = openLog({
    level: config.LOG_LEVEL,
    ...(!config.DATABASE_URL && { file: join(config.DATA_DIR, 'posthorn.log') }),
  });
  const embedded = config.DATABASE_URL
    ? undefined
    : beside === 'for-good'
      ? await joinForGood(config.DATA_DIR, log)
      : (beside && (await joinEmbedded(config.DATA_DIR))) ||
        (await startEmbedded({ dataDir: config.DATA_DIR, say }));
  const url = config.DATABASE_URL ?? embedded?.url ?? '';
  let database: Database | undefined;
  try {
    const server = config.DATABASE_URL ? await checkServer(url) : undefined;
    const migrated = await migrate(url);
    database = openDatabase({
      url,
      max: config.DATABASE_POOL,
      onError: (error) => log.warn({ err: error }, 'a database connection broke'),
    });
    const opened = database;
    return {
      config,
      url,
      database,
      log,
      embedded,
      clockAheadMs: server?.clockAheadMs,
      migrated,
      key: await openSecretKey(config.SECRET_KEY, config.DATA_DIR, database),
      close: async () => {
        await opened.close();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await database?.close();
    await embedded?.stop();
    throw error;
  }
};

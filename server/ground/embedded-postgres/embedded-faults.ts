import { StartFault } from '../terminal/index.ts';

export interface Places {
  /** DATA_DIR. */
  dataDir: string;
  /** The database's own folder in it. */
  folder: string;
  log: string;
}

export const alreadyRunning = ({ dataDir }: Places): StartFault =>
  new StartFault(
    `Posthorn is already running on this data folder (${dataDir}): stop it first, or set DATA_DIR to another folder.`,
  );

const diskFull = (dataDir: string, cause?: unknown): StartFault =>
  new StartFault(
    `There is no space left on the disk that holds ${dataDir}: free some, or set DATA_DIR to a folder on another disk.`,
    { cause },
  );

const forbidden = (dataDir: string, cause?: unknown): StartFault =>
  new StartFault(
    `The data folder ${dataDir} cannot be used by this user: give the user the right to write there, or set DATA_DIR to another folder.`,
    { cause },
  );

const unreachable = (dataDir: string): StartFault =>
  new StartFault(
    `PostgreSQL does not run as root, and the user that runs it instead may not enter ${dataDir}: set DATA_DIR to a folder that others may pass through, or start Posthorn as an ordinary user.`,
  );

/** Explains why the system refuses to use the data folder; any other error is rethrown. */
export const folderFault = (dataDir: string, error: unknown): unknown => {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return new StartFault(
        `The data folder ${dataDir} is not a folder but a file, or lies below one: set DATA_DIR to another path.`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
      return forbidden(dataDir, error);
    case 'EROFS':
      return new StartFault(
        `The data folder ${dataDir} lies on a disk that cannot be written: set DATA_DIR to another folder.`,
        { cause: error },
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(dataDir, error);
    case 'ENAMETOOLONG':
      return new StartFault(
        `The path of the data folder ${dataDir} is too long: set DATA_DIR to a shorter one.`,
      );
    default:
      return error;
  }
};

export const damaged = ({ folder, log }: Places, reason: string, cause?: unknown): StartFault =>
  new StartFault(
    `The database in ${folder} cannot be opened (${reason}; see ${log}): restore the folder from a backup, or move it away to start with an empty one.`,
    { cause },
  );

/** The last message in PostgreSQL's output that gives a reason, without its time and process id. */
const lastReason = (text: string): string => {
  const lines = text
    .split('\n')
    .map((line) => /(?:FATAL|PANIC|ERROR|error|fatal):\s(.*)$/s.exec(line)?.[1]?.trim())
    .filter((line) => line !== undefined);
  const last = lines.at(-1) ?? text.trim().split('\n').at(-1)?.trim() ?? '';
  return last.replace(/^but |[.:]$/g, '') || 'it gave no reason';
};

/** A start that loses against another one, or comes before the last processes of a killed one have ended. */
export const isStartRefused = (text: string): boolean =>
  /lock file ".{0,1000}" already exists|pre-existing shared memory block|could not lock file|Address already in use/.test(
    text,
  );

/** Explains the output that initdb or postgres left when they gave up. */
export const serverFault = (places: Places, text: string): StartFault => {
  if (/No space left on device|Disk quota exceeded/.test(text)) return diskFull(places.dataDir);
  if (/Permission denied|Operation not permitted|wrong ownership/.test(text))
    return process.getuid?.() === 0 ? unreachable(places.dataDir) : forbidden(places.dataDir);
  if (/could not (?:map anonymous|create) shared memory|Cannot allocate memory|out of memory/i.test(text))
    return new StartFault(
      'There is not enough memory to start the built-in database: free some, or set DATABASE_URL to a PostgreSQL elsewhere.',
    );
  if (/error while loading shared libraries|cannot execute/.test(text))
    return new StartFault(
      `The built-in database does not run on this system (${lastReason(text)}): set DATABASE_URL to a PostgreSQL 15 or later.`,
    );
  return damaged(places, lastReason(text));
};

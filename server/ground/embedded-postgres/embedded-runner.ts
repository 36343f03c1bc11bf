import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StartFault } from '../terminal/index.ts';

const execute = promisify(execFile);

export interface Owner {
  uid: number;
  gid: number;
}

/** How to start the database's programs; PostgreSQL refuses to run as root. */
export interface Runner {
  /** Put before the program and its arguments. */
  prefix: string[];
  /** Another user to run as, who must own the database's folder. */
  as?: Owner;
  /** Version of the programs, such as 18. */
  majorVersion: string;
}

/** From inside, root looks like another user; files still belong to root, and no other user is needed. */
const NAMESPACE = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];

/**
 * As batch work: a process of the database that a question wakes waits for its turn, and does not take the processor
 * from the program in the middle of what it does (docs/decisions/0050). Not all systems have it.
 */
const BATCH_WORK = ['chrt', '-b', '0'];
export const batchWork = (): Promise<string[]> => {
  const [file = '', ...args] = BATCH_WORK;
  return execute(file, [...args, 'true'], { cwd: '/', timeout: 5_000 }).then(
    () => BATCH_WORK,
    () => [],
  );
};

const majorVersion = async (postgres: string, prefix: string[], as?: Owner): Promise<string> => {
  const [file = postgres, ...args] = [...prefix, postgres, '--version'];
  const { stdout } = await execute(file, args, { cwd: '/', timeout: 20_000, ...as });
  const version = / (\d+)\D/.exec(stdout)?.[1];
  if (version === undefined) throw new Error(`postgres --version answered ${stdout}`);
  return version;
};

const ownerOf = (path: string): Promise<Owner | undefined> =>
  stat(path).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => undefined,
  );

const systemUsers = async (): Promise<Owner[]> => {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n');
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    return uid === undefined || gid === undefined ? [] : [{ uid: Number(uid), gid: Number(gid) }];
  });
};

export const embeddedRunner = async (postgres: string, folder: string): Promise<Runner> => {
  const runsAs = async (prefix: string[], as?: Owner): Promise<Runner> => ({
    prefix,
    ...(as && { as }),
    majorVersion: await majorVersion(postgres, prefix, as),
  });
  const unusable = (error: unknown) =>
    new StartFault(
      `The built-in database does not run on this system (${(error as Error).message.trim().split('\n').at(-1)}): set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause: error },
    );

  if (process.getuid?.() !== 0)
    return runsAs([]).catch((error) => {
      throw unusable(error);
    });

  // A database that another user has created is run as that user, so that the user can go on with it later.
  const owner = await ownerOf(folder);
  const users = owner !== undefined && owner.uid !== 0 ? [owner] : await systemUsers();
  const attempts: [string[], Owner?][] = users.map((user) => [[], user]);
  if (owner === undefined || owner.uid === 0) attempts.unshift([NAMESPACE]);

  let reason: unknown = new Error('no user to run it as');
  for (const [prefix, as] of attempts) {
    try {
      return await runsAs(prefix, as);
    } catch (error) {
      reason = error;
    }
  }
  if ((reason as NodeJS.ErrnoException).code === 'EACCES')
    throw new StartFault(
      'PostgreSQL does not run as root, and no other user may enter this folder: start Posthorn as an ordinary user, move it to a folder that others may enter, or set DATABASE_URL.',
      { cause: reason },
    );
  throw unusable(reason);
};

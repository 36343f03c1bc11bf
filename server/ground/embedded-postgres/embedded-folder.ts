import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { StartFault } from '../terminal/index.ts';
import { damaged, folderFault, type Places, serverFault } from './embedded-faults.ts';
import { isAlive } from './embedded-pid.ts';
import type { Owner, Runner } from './embedded-runner.ts';

const execute = promisify(execFile);

const LOG_LIMIT_BYTES = 10_000_000;

/** More than any file system reserves for a full disk. */
const PROBE = Buffer.alloc(64 * 1024);

/** Creates DATA_DIR, for its owner only, checks that it is writable, and keeps the log from growing. */
export const prepareDataDir = async ({ dataDir, log }: Places): Promise<void> => {
  const probe = join(dataDir, '.probe');
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, PROBE, { mode: 0o600 }).finally(() => rm(probe, { force: true }));
    const size = await stat(log).then(
      (found) => found.size,
      () => 0,
    );
    if (size > LOG_LIMIT_BYTES) await rename(log, `${log}.1`);
  } catch (error) {
    throw folderFault(dataDir, error);
  }
};

type Found = 'nothing' | 'database';

const look = async (places: Places, runner: Runner): Promise<Found> => {
  const { folder } = places;
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw folderFault(places.dataDir, error);
  });
  if (found === undefined) return 'nothing';
  const names = await readdir(folder).catch((error) => {
    throw folderFault(places.dataDir, error);
  });
  if (names.length === 0) return 'nothing';
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw damaged(places, 'its file PG_VERSION is missing', error);
    throw folderFault(places.dataDir, error);
  });
  if (version.trim() !== runner.majorVersion)
    throw new StartFault(
      /^\d+\s*$/.test(version)
        ? `The database in ${folder} was made by PostgreSQL ${version.trim()}, and this Posthorn brings ${runner.majorVersion}: start the version of Posthorn that made it, or move the folder away to start with an empty one.`
        : damaged(places, 'its file PG_VERSION is not readable').message,
    );
  return 'database';
};

/** What starts that were killed halfway have left. The folder of a living process is not touched. */
const removeLeftovers = async ({ dataDir, folder }: Places): Promise<void> => {
  const prefix = `${basename(folder)}-new-`;
  for (const name of await readdir(dataDir))
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      await rm(join(dataDir, name), { recursive: true, force: true });
};

const runInitdb = async (options: {
  initdb: string;
  target: string;
  runner: Runner;
  sync: boolean;
}): Promise<{ code: number | null; text: string }> => {
  const { runner } = options;
  const [file = '', ...args] = [
    ...runner.prefix,
    options.initdb,
    `--pgdata=${options.target}`,
    '--username=posthorn',
    '--encoding=UTF8',
    // The same order and case rules on every system, and after every upgrade of it.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // No network, and a socket in a folder that only its owner may enter: a process that reaches it is let in.
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
    ...(options.sync ? [] : ['--no-sync']),
  ];
  const child = spawn(file, args, { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], ...runner.as });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  // An interrupted start ends it too.
  const endWithUs = () => child.kill();
  process.once('exit', endWithUs);
  const [code] = (await once(child, 'close')) as [number | null];
  process.off('exit', endWithUs);
  return { code, text };
};

/** Root gives the database's folder to the user that runs it, and lets that user, but no other, enter DATA_DIR. */
const handOver = async ({ dataDir }: Places, folder: string, { uid, gid }: Owner): Promise<void> => {
  await chown(dataDir, -1, gid);
  await chmod(dataDir, 0o710);
  await execute('chown', ['-R', `${uid}:${gid}`, folder]);
};

/** Created in another place and moved when complete, so that a start killed halfway leaves nothing incomplete. */
const create = async (
  places: Places,
  options: { initdb: string; runner: Runner; sync: boolean },
): Promise<void> => {
  const { dataDir, folder } = places;
  const target = `${folder}-new-${process.pid}`;
  const { as } = options.runner;
  try {
    await removeLeftovers(places);
    await mkdir(target, { mode: 0o700 });
    if (as) await handOver(places, target, as);
  } catch (error) {
    throw folderFault(dataDir, error);
  }
  try {
    const { code, text } = await runInitdb({ ...options, target });
    if (code !== 0) throw serverFault(places, text);
    await rename(target, folder).catch((error: NodeJS.ErrnoException) => {
      // Another start was quicker; the owner's lock decides which of the two goes on.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw folderFault(dataDir, error);
    });
  } finally {
    await rm(target, { recursive: true, force: true });
  }
};

export const prepareFolder = async (
  places: Places,
  options: { initdb: string; runner: Runner; sync: boolean; say: (line: string) => void },
): Promise<void> => {
  const { as } = options.runner;
  if ((await look(places, options.runner)) === 'database') {
    const { uid, mode } = await stat(places.folder);
    if (as && uid !== as.uid) await handOver(places, places.folder, as);
    // PostgreSQL refuses a folder that others may enter, as one restored from a backup may be.
    if (mode & 0o077) await chmod(places.folder, 0o700);
    return;
  }
  options.say('Creating the database');
  await create(places, options);
};

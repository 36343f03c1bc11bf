import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Places } from './embedded-faults.ts';
import { isAlive, isServerOf, readPidFile } from './embedded-pid.ts';
import { batchWork, type Runner } from './embedded-runner.ts';
import { type Bounds, boundedBy } from './server-bounds.ts';

const MEGABYTE = 1024 * 1024;
const FAST_STOP_MS = 10_000;
const IMMEDIATE_STOP_MS = 5_000;
const COLLECTED_MS = 1_000;
/** A server with bounds has statements that hear no request to end, and nothing whose loss matters. */
const BOUNDED_STOP_MS = 1_000;

export interface ServerOptions {
  postgres: string;
  places: Places;
  runner: Runner;
  socketFolder: string;
  fsync: boolean;
  bounds?: Bounds | undefined;
}

export interface Server {
  pid: number;
  ended: () => boolean;
  /** What it has written to its log since it was started. */
  words: () => Promise<string>;
}

/** Given on the command line, so that a newer version's choices hold for older folders too. */
const settings = ({ socketFolder, fsync, bounds }: ServerOptions): Record<string, string> => {
  const memory = totalmem() / MEGABYTE;
  return {
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: memory < 4_000 ? '128MB' : '256MB',
    effective_cache_size: `${Math.round(memory / 2)}MB`,
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    jit: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_checkpoints: 'off',
    // Statements and details contain message texts, numbers and addresses, which no log may keep.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
    ...bounds?.settings,
  };
};

/** Starts PostgreSQL in its own session: a Ctrl-C must not stop it before the program has drained. */
export const spawnServer = async (options: ServerOptions): Promise<Server> => {
  const { places, runner } = options;
  const log = await open(places.log, 'a', 0o600);
  try {
    const before = (await stat(places.log)).size;
    const [file = '', ...args] = [
      ...(await batchWork()),
      ...(options.bounds ? await boundedBy(options.bounds) : []),
      ...runner.prefix,
      options.postgres,
      '-D',
      places.folder,
      '-p',
      '5432',
      ...Object.entries(settings(options)).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    let over = false;
    const child = spawn(file, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      ...runner.as,
    });
    child.once('exit', () => {
      over = true;
    });
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return {
      pid: child.pid as number,
      ended: () => over,
      words: async () => (await readFile(places.log)).subarray(before).toString('utf8'),
    };
  } finally {
    await log.close();
  }
};

/**
 * Waits at the end of a pipe that only this process holds open: when this process ends, in whatever way, the pipe ends
 * and PostgreSQL is stopped.
 */
export const postGuard = (pid: number, bounds?: Bounds): { dismiss: () => void } => {
  // One that waits for a statement which hears nothing would wait for days.
  const then = bounds ? `; sleep ${BOUNDED_STOP_MS / 1_000}; kill -QUIT "$0"` : '';
  const guard: ChildProcess = spawn('sh', ['-c', `read _; kill -INT "$0"${then}`, String(pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell there is no guard; the next start then finds the database running and takes it over.
  guard.once('error', () => {});
  guard.stdin?.on('error', () => {});
  return { dismiss: () => guard.kill('SIGKILL') };
};

const waitGone = async (folder: string, pid: number, timeoutMs: number): Promise<boolean> => {
  const begin = Date.now();
  while (isAlive(pid)) {
    const waited = Date.now() - begin;
    // A server taken over from a killed owner may stay as a zombie process; its file is removed first.
    if (waited > COLLECTED_MS && (await readPidFile(folder))?.pid !== pid) return true;
    if (waited > timeoutMs) return false;
    await sleep(20);
  }
  return true;
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Ends PostgreSQL's sessions and stops it in an orderly way; by force if that takes too long. */
export const stopServer = async (folder: string, pid: number, bounds?: Bounds): Promise<void> => {
  if (!(await isServerOf(pid, folder))) return;
  signal(pid, 'SIGINT');
  if (await waitGone(folder, pid, bounds ? BOUNDED_STOP_MS : FAST_STOP_MS)) return;
  signal(pid, 'SIGQUIT');
  if (await waitGone(folder, pid, IMMEDIATE_STOP_MS)) return;
  signal(pid, 'SIGKILL');
  await waitGone(folder, pid, IMMEDIATE_STOP_MS);
};

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartFault } from '../terminal/index.ts';
import { embeddedBinaries } from './embedded-binaries.ts';
import { alreadyRunning, damaged, isStartRefused, type Places, serverFault } from './embedded-faults.ts';
import { prepareDataDir, prepareFolder } from './embedded-folder.ts';
import { askForLock, ensureDatabase, isOwned, socketUrl } from './embedded-lock.ts';
import { isServerOf, readPidFile, removeStalePidFiles } from './embedded-pid.ts';
import { embeddedRunner } from './embedded-runner.ts';
import { postGuard, type Server, type ServerOptions, spawnServer, stopServer } from './embedded-server.ts';
import type { Bounds } from './server-bounds.ts';

export interface Embedded {
  url: string;
  /** Of the process whose children serve the connections; another one after a restart. */
  pid: () => number;
  stop(): Promise<void>;
}

interface EmbeddedOptions {
  dataDir: string;
  /** Off only for tests: a crash of the machine may then cost the database. */
  fsync?: boolean;
  /** Of a server that runs statements of strangers. */
  bounds?: Bounds;
  /** Prints a line for the person who started the program. */
  say: (line: string) => void;
}

/** Of a socket's path, in bytes: 103 on macOS, 107 on Linux. */
const SOCKET_PATH_LIMIT = 103;
const POLL_MS = 20;
/** A server that is alive but neither answers nor says why. */
const SILENCE_MS = 60_000;
/** How long the last processes of a killed server may delay the next one. */
const TAKEN_MS = 30_000;
const RECOVERING_AFTER_MS = 5_000;
const RESTARTS_A_MINUTE = 5;
const MINUTE_MS = 60_000;

const fitsSocket = (folder: string): boolean =>
  Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= SOCKET_PATH_LIMIT;

/** The database's own folder, which only its owner may enter, or a short one where that path is too long. */
const chooseSocketFolder = async (folder: string): Promise<{ path: string; temporary: boolean }> => {
  if (fitsSocket(folder)) return { path: folder, temporary: false };
  if (!fitsSocket(join(tmpdir(), 'posthorn-XXXXXX')))
    throw new StartFault(`The path ${folder} is too long for a socket: set DATA_DIR to a shorter one.`);
  return { path: await mkdtemp(join(tmpdir(), 'posthorn-')), temporary: true };
};

interface Held {
  lock: pg.Client;
  pid: number;
  socketFolder: string;
  guard: { dismiss: () => void };
}

/** Starts the server if none runs, and returns as the owner of the folder, or not at all. */
const takeOver = async (
  options: ServerOptions,
  say: (line: string) => void,
  stopping: () => boolean,
): Promise<Held> => {
  const { places, bounds } = options;
  const { folder } = places;
  const begin = Date.now();
  let started: (Server & { guard: { dismiss: () => void } }) | undefined;
  let lastSign = Date.now();
  let told = false;
  try {
    for (;;) {
      if (stopping()) throw new StartFault('The start was interrupted.');
      const running = await readPidFile(folder);
      const answer = running?.socketFolder ? await askForLock(running.socketFolder) : 'silent';
      if (answer === 'held') {
        // Two concurrent starts: the server that this one has started serves the other, so it must stay.
        started?.guard.dismiss();
        started = undefined;
        throw alreadyRunning(places);
      }
      if (running && typeof answer === 'object') {
        const guard = started?.pid === running.pid ? started.guard : postGuard(running.pid, bounds);
        return { lock: answer, pid: running.pid, socketFolder: running.socketFolder, guard };
      }
      if (answer === 'busy') {
        lastSign = Date.now();
        if (!told && Date.now() - begin > RECOVERING_AFTER_MS) {
          told = true;
          say('The database is recovering from an abrupt end, please wait');
        }
      } else if (started?.ended()) {
        const words = await started.words();
        started.guard.dismiss();
        started = undefined;
        if (!isStartRefused(words) || Date.now() - begin > TAKEN_MS) throw serverFault(places, words);
      } else if (started === undefined && !(running && (await isServerOf(running.pid, folder)))) {
        if (running) await removeStalePidFiles(folder, running);
        const server = await spawnServer(options);
        started = { ...server, guard: postGuard(server.pid, bounds) };
        lastSign = Date.now();
      } else if (Date.now() - lastSign > SILENCE_MS) {
        throw damaged(places, 'PostgreSQL is running but does not answer');
      }
      await sleep(POLL_MS);
    }
  } catch (error) {
    if (started) {
      await stopServer(folder, started.pid, bounds);
      started.guard.dismiss();
    }
    if (error instanceof StartFault) throw error;
    throw damaged(places, (error as Error).message, error);
  }
};

/** The database of a running program, for a command that runs beside it; undefined if none runs. */
export const joinEmbedded = async (dataDir: string): Promise<Embedded | undefined> => {
  const folder = join(await realpath(resolve(dataDir)), 'postgres');
  const running = await readPidFile(folder);
  if (!running?.socketFolder) return undefined;
  return (await isOwned(running.socketFolder))
    ? { url: socketUrl(running.socketFolder, 'posthorn'), pid: () => running.pid, stop: async () => {} }
    : undefined;
};

/**
 * A real PostgreSQL below DATA_DIR, reached by a socket that only this user can open. It ends with this program, is
 * restarted if it dies, and belongs to one program at a time.
 */
export const startEmbedded = async ({
  dataDir,
  fsync = true,
  bounds,
  say,
}: EmbeddedOptions): Promise<Embedded> => {
  const asked = resolve(dataDir);
  await prepareDataDir({ dataDir: asked, folder: '', log: join(asked, 'postgres.log') });
  // The path distinguishes our server from other processes, so it has to be the same however it was reached.
  const real = await realpath(asked);
  const places: Places = { dataDir: real, folder: join(real, 'postgres'), log: join(real, 'postgres.log') };
  const { initdb, postgres } = await embeddedBinaries();
  const runner = await embeddedRunner(postgres, places.folder);
  await prepareFolder(places, { initdb, runner, sync: fsync, say });
  const sockets = await chooseSocketFolder(places.folder);
  const server: ServerOptions = { postgres, places, runner, fsync, bounds, socketFolder: sockets.path };
  const removeSockets = async () => {
    if (sockets.temporary) await rm(sockets.path, { recursive: true, force: true });
  };

  let stopping = false;
  let held: Held;
  try {
    held = await takeOver(server, say, () => stopping);
  } catch (error) {
    await removeSockets();
    throw error;
  }
  // A server taken over keeps its socket; after a restart it has to be at the same place.
  server.socketFolder = held.socketFolder;

  let recovery: Promise<void> = Promise.resolve();
  const restarts: number[] = [];
  const recover = async (): Promise<void> => {
    while (!stopping) {
      const now = Date.now();
      const recent = restarts.filter((at) => now - at < MINUTE_MS);
      if (recent.length >= RESTARTS_A_MINUTE) {
        await sleep(POLL_MS);
        continue;
      }
      restarts.splice(0, restarts.length, ...recent, now);
      try {
        held.guard.dismiss();
        held = await takeOver(server, say, () => stopping);
        watch();
        say('The database runs again');
        return;
      } catch (error) {
        if (!stopping) say(`The database could not be started again: ${(error as Error).message}`);
      }
    }
  };
  const watch = () => {
    held.lock.once('end', () => {
      if (stopping) return;
      say('The database stopped unexpectedly and is started again');
      recovery = recover();
    });
  };
  watch();

  const stop = async (): Promise<void> => {
    stopping = true;
    await recovery;
    await stopServer(places.folder, held.pid, bounds);
    held.guard.dismiss();
    await held.lock.end();
    await removeSockets();
  };
  try {
    await ensureDatabase(held.lock);
  } catch (error) {
    await stop();
    throw damaged(places, (error as Error).message, error);
  }
  let stopped: Promise<void> | undefined;
  return {
    url: socketUrl(held.socketFolder, 'posthorn'),
    pid: () => held.pid,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

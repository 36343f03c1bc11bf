import { totalmem } from 'node:os';
import { join } from 'node:path';
import { openBackends, startEmbedded } from '../ground/embedded-postgres/index.ts';
import type { OwnServer } from '../office/query/index.ts';

const MEGABYTE = 1024 * 1024;
/** The admins' and those of the program itself. */
const CONNECTIONS = 24;
/** What every process has before it does anything: the programs' code, libraries and shared memory. Measured: 110. */
const SHARED_MB = 128;
/** For itself: all connections together have a quarter of the machine's memory, within these. */
const LEAST_MB = 48;
const MOST_MB = 128;

/** In megabytes, of one connection and of all together with what they share: a machine of 2 GB has room for that. */
export const memoryOfZones = (machineBytes = totalmem()): { perConnection: number; whole: number } => {
  const quarter = machineBytes / MEGABYTE / 4;
  const perConnection = Math.round(Math.min(MOST_MB, Math.max(LEAST_MB, quarter / CONNECTIONS)));
  return { perConnection, whole: perConnection * CONNECTIONS + SHARED_MB };
};

const SETTINGS = {
  max_connections: String(CONNECTIONS),
  shared_buffers: '32MB',
  effective_cache_size: '128MB',
  wal_buffers: '1MB',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  // No parallel workers: the connections alone use the process slots that are counted here.
  io_method: 'sync',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  autovacuum: 'off',
  // One admin's statement is not for another's eyes.
  track_activities: 'off',
  restart_after_crash: 'on',
};

export interface ZonesServer {
  url: string;
  own: OwnServer;
  close: () => Promise<void>;
}

interface ZonesServerOptions {
  dataDir: string;
  say: (line: string) => void;
  /** Off only for tests. */
  fsync?: boolean;
}

/** The database server of the zones that the program brings: a process of its own, which may be killed. */
export const openZonesServer = async ({ dataDir, say, fsync }: ZonesServerOptions): Promise<ZonesServer> => {
  const embedded = await startEmbedded({
    dataDir: join(dataDir, 'query-database'),
    say,
    ...(fsync !== undefined && { fsync }),
    bounds: {
      addressSpaceBytes: (SHARED_MB + memoryOfZones().perConnection) * MEGABYTE,
      settings: SETTINGS,
    },
  });
  const { close, ...own } = openBackends(embedded);
  return {
    url: embedded.url,
    own,
    close: async () => {
      await close();
      await embedded.stop();
    },
  };
};

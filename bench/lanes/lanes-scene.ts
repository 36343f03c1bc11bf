import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { startEmbedded } from '../../server/ground/embedded-postgres/index.ts';
import { type Db, migrate, openDatabase } from '../../server/ground/postgres/index.ts';
import { wakeLanes } from '../../server/traffic/lanes/index.ts';
import type { LanesWorkerOptions } from './lanes-worker.ts';

const WORKER = fileURLToPath(new URL('./lanes-worker.ts', import.meta.url));

interface Usage {
  cpu: NodeJS.CpuUsage;
  rss: number;
}

/** A database for many lanes. */
export const openLanesScene = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-lanes-'));
  const embedded = await startEmbedded({ dataDir, say: () => {} });
  await migrate(embedded.url);
  const { db, close } = openDatabase({ url: embedded.url, max: 5, onError: () => {} });
  return {
    db,
    url: embedded.url,
    close: async () => {
      await close();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};
export type LanesScene = Awaited<ReturnType<typeof openLanesScene>>;

/** A worker whose cost can be asked for. */
export const startLanesWorker = async (options: LanesWorkerOptions) => {
  const child: ChildProcess = fork(WORKER, [JSON.stringify(options)]);
  await once(child, 'message');
  const usage = async (): Promise<Usage> => {
    const answered = new Promise<Usage>((resolve) => {
      const hear = (message: object): void => {
        if (!('cpu' in message)) return;
        child.off('message', hear);
        resolve(message as Usage);
      };
      child.on('message', hear);
    });
    child.send('usage');
    return answered;
  };
  return {
    child,
    usage,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

/** Until all of these lanes are served. */
export const untilServed = async (db: Db, count: number): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ up: number }>`
      select count(*)::int as up from lanes where up and mode = 'on' and leased_by is not null`.execute(db);
    if ((rows[0]?.up ?? 0) >= count) return;
    await sleep(100);
  }
};

/** Puts so many messages into each of these lanes; free ones, of an account that is in no table. */
export const fillLanes = async (db: Db, laneIds: number[], each: number): Promise<void> => {
  await sql`
    insert into messages (id, account_id, lane_id, channel, type, status, recipient_raw, recipient, country, message,
      segment, price_micros, priority, created_at, updated_at)
    select gen_random_uuid(), ${randomUUID()}::uuid, lane_id, 'sms', 'outgoing', 'PENDING', '+85261234567',
      '+85261234567', 'HK', 'bench', 1, 0, 1, now(), now()
    from unnest(${laneIds}::int[]) as lane_id cross join generate_series(1, ${each})`.execute(db);
  await wakeLanes(db, laneIds);
};

import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Db } from '../../server/ground/postgres/index.ts';
import type { LanesDeps } from '../../server/traffic/lanes/index.ts';
import { changeLane, changeMode, makeLane } from '../../server/traffic/lanes/testing/index.ts';
import { reconcile } from '../../server/traffic/outbox/testing/index.ts';
import { findMiscounted } from '../../test/miscounted.ts';
import type { Definition } from '../definition.ts';
import { openCounter } from './lanes-counter.ts';
import type { ProofWorkerOptions } from './lanes-proof-worker.ts';
import { fillLanes, openLanesScene } from './lanes-scene.ts';

const WORKER = fileURLToPath(new URL('./lanes-proof-worker.ts', import.meta.url));
const SETTLE_MS = 120_000;
/** Two workers of one place and one of another; each has a lane of its own settings besides. */
const WORKERS = [
  { name: 'first', place: 'here' },
  { name: 'second', place: 'here' },
  { name: 'third', place: 'there' },
];
const PLACES = ['', 'here', 'there'];

const startWorker = async (options: ProofWorkerOptions): Promise<ChildProcess> => {
  const child = fork(WORKER, [JSON.stringify(options)]);
  await once(child, 'message');
  return child;
};

const end = async (child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
};

const any = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

const lanesThat = async (db: Db, condition: string): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`select id from lanes where ${sql.raw(condition)}`.execute(db);
  return rows.map(({ id }) => id);
};

/** What an operator does to lanes while they work. */
const actionsOf = (deps: LanesDeps, port: number) => {
  let made = 0;
  const ofAdmin = (modes: string) => lanesThat(deps.db, `source = 'admin' and mode in (${modes})`);
  const change = async (modes: string, act: (laneId: number) => Promise<unknown>): Promise<void> => {
    const ids = await ofAdmin(modes);
    if (ids.length > 0) await act(any(ids));
  };
  return {
    make: async () => {
      made += 1;
      const settings = { PORT: String(port) };
      const lane = { name: `made-${made}`, provider: 'proof', route: 'sms', place: any(PLACES), settings };
      await makeLane(deps, lane);
    },
    change: () => change("'on'", (id) => changeLane(deps, id, { settings: { PORT: String(port) } })),
    pause: () => change("'on'", (id) => changeMode(deps, id, 'paused')),
    drain: () => change("'on'", (id) => changeMode(deps, id, 'draining')),
    resume: () => change("'paused', 'draining'", (id) => changeMode(deps, id, 'on')),
    remove: () => change("'on', 'paused', 'draining'", (id) => changeMode(deps, id, 'removed')),
  };
};

/** Messages that are neither in one chunk nor in one claim, or in both, though they wait. */
const countMisplaced = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select m.id, (select count(*) from outbox_chunks where m.id = any(ids)) as chunks from messages m
      where m.status = 'PENDING' and m.unknown_since is null
    ) waiting where chunks <> 1`.execute(db);
  return rows[0]?.count ?? 0;
};

const countWaiting = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where status = 'PENDING' and unknown_since is null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
};

interface Size {
  seconds: number;
  kills: number;
  portion: number;
  leaseMs: number;
}

const prove = async ({ seconds, kills, portion, leaseMs }: Size) => {
  const scene = await openLanesScene();
  const counter = await openCounter();
  const { db, url } = scene;
  const key = randomBytes(32);
  const provider = {
    name: 'proof',
    channel: 'sms',
    simulated: false,
    settings: ['PORT'],
    secrets: [],
  } as const;
  const carrier = () => {
    throw new Error('only workers open it');
  };
  const deps: LanesDeps = {
    db,
    secretKey: key,
    providers: [{ ...provider, lane: () => ({ ...provider, provider: 'proof', carrier }) }],
    countWaiting: async () => new Map(),
    findUnknownAccount: async () => undefined,
  };
  const start = (worker: (typeof WORKERS)[number]) =>
    startWorker({
      databaseUrl: url,
      ...worker,
      key: key.toString('hex'),
      leaseMs,
      port: counter.port,
    });
  const workers = await Promise.all(WORKERS.map(start));
  const actions = actionsOf(deps, counter.port);
  for (let at = 0; at < 6; at += 1) await actions.make();
  const names = Object.keys(actions) as (keyof typeof actions)[];
  const done = Object.fromEntries([...names, 'kill'].map((name) => [name, 0]));
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1_000 / seconds;
  try {
    while (passed() < 1) {
      const on = await lanesThat(db, "mode = 'on'");
      await fillLanes(db, on, Math.ceil(portion / on.length));
      if ((done.kill ?? 0) < kills && passed() > ((done.kill ?? 0) + 1) / (kills + 1)) {
        const at = randomInt(WORKERS.length);
        await end(workers[at] as ChildProcess, 'SIGKILL');
        workers[at] = await start(WORKERS[at] as (typeof WORKERS)[number]);
        done.kill = (done.kill ?? 0) + 1;
      }
      const name = any(names);
      await actions[name]();
      done[name] = (done[name] ?? 0) + 1;
      await sleep(150);
    }
    for (const id of await lanesThat(db, "mode in ('paused', 'draining')")) await changeMode(deps, id, 'on');
    const deadline = Date.now() + SETTLE_MS;
    while ((await countWaiting(db)) > 0 && Date.now() < deadline) {
      // As the program's task does: no worker takes a lane again that was removed after its own was killed.
      await reconcile(db);
      await sleep(250);
    }
    await Promise.all(workers.map((child) => end(child, 'SIGTERM')));
    const { rows } = await sql<{ id: string; status: string; unknown: boolean }>`
      select id, status, unknown_since is not null as unknown from messages`.execute(db);
    const times = ({ id }: { id: string }): number => counter.counts.get(id) ?? 0;
    const inDoubt = rows.filter(({ status, unknown }) => status === 'PENDING' && unknown);
    return {
      done,
      figures: {
        messages: rows.length,
        stuck: rows.filter(({ status, unknown }) => status === 'PENDING' && !unknown).length,
        twice: rows.filter((row) => times(row) > 1).length,
        lost: rows.filter((row) => row.status === 'SUCCESS' && times(row) !== 1).length,
        failed: rows.filter(({ status }) => status !== 'SUCCESS' && status !== 'PENDING').length,
        inDoubt: inDoubt.length,
        misplaced: await countMisplaced(db),
        miscounted: (await findMiscounted(db)).length,
        overlaps: counter.overlaps(),
      },
    };
  } finally {
    await Promise.all(workers.map((child) => end(child, 'SIGKILL')));
    await counter.close();
    await scene.close();
  }
};

const NONE = ['stuck', 'twice', 'lost', 'failed', 'misplaced', 'miscounted', 'overlaps'];

const definition: Definition = {
  title: 'Lanes that are made, changed, paused, drained and removed under load, on workers that are killed',
  run: async ({ quick }) => {
    const { done, figures } = await prove(
      quick
        ? // A lease that a slow machine renews too late lets two workers have a lane at the same time.
          { seconds: 5, kills: 1, portion: 20, leaseMs: 8_000 }
        : { seconds: 90, kills: 12, portion: 150, leaseMs: 1_500 },
    );
    return {
      rows: [
        ...Object.entries(done).map(([what, count]) => ({ what, count })),
        ...Object.entries(figures).map(([what, count]) => ({ what, count })),
      ],
      figures,
      bars: NONE.map((figure) => ({ figure, max: 0 })),
    };
  },
};
export default definition;

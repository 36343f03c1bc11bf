import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  openTestDelivery,
  type ScriptedCarrier,
  scriptedCarrier,
  type TestDelivery,
} from '../../../test/delivery.ts';
import type { Lane, LaneProvider, LanesDeps, ServableLane } from '../lanes/index.ts';
import {
  markUnserved,
  newWorker,
  openSettings,
  readSealedOptions,
  renewWorker,
  takeLeases,
} from '../lanes/index.ts';
import { changeLane, changeMode, makeLane } from '../lanes/testing/index.ts';
import type { Delivery } from './run-delivery.ts';

let room: TestDelivery;
let deps: LanesDeps;
const running = new Set<Delivery>();
const KEY = Buffer.alloc(32, 7);

/** What the carriers of a lane were opened with, in order, and each carrier. */
const opened: { name: string; settings: Record<string, string>; carrier: ScriptedCarrier }[] = [];

const provider: LaneProvider = {
  name: 'scripted',
  channel: 'sms',
  simulated: false,
  settings: ['HOST', 'PASSWORD'],
  secrets: ['PASSWORD'],
  lane: (settings) => {
    if (!settings.HOST) throw new Error('HOST must be set');
    const carrier = () => scriptedCarrier().carrier;
    return { name: 'x', channel: 'sms', provider: 'scripted', simulated: false, carrier };
  },
};

beforeAll(async () => {
  room = await openTestDelivery();
  deps = {
    db: room.db,
    secretKey: KEY,
    providers: [provider],
    countWaiting: async () => new Map(),
    findUnknownAccount: async () => undefined,
  };
});
afterEach(async () => {
  await Promise.all([...running].map((delivery) => delivery.stop(300)));
  running.clear();
  await sql`update lanes set mode = 'removed'`.execute(room.db);
  await room.removeLanes();
  opened.length = 0;
});
afterAll(async () => {
  expect(await room.misplaced()).toEqual([]);
  expect(await room.miscounted()).toEqual([]);
  await room.close();
});

const openCarrier = async (lane: ServableLane) => {
  const sealed = (await readSealedOptions(room.db, [lane.id])).get(lane.id) as Buffer;
  const carrier = scriptedCarrier();
  opened.push({ name: lane.name, settings: openSettings(KEY, lane.id, sealed), carrier });
  return () => carrier.carrier;
};
const work = (lanes: Lane[] = [], leaseMs = 600): Delivery => {
  const delivery = room.work(lanes, { leaseMs }, { openCarrier });
  running.add(delivery);
  return delivery;
};
const stop = async (delivery: Delivery): Promise<void> => {
  running.delete(delivery);
  await delivery.stop(300);
};
const make = async (name: string, settings: Record<string, string> = { HOST: 'a', PASSWORD: 'secret' }) => {
  const id = await makeLane(deps, { name, provider: 'scripted', settings });
  return { id, name } as Lane;
};
const carrierOf = async (name: string): Promise<ScriptedCarrier> =>
  vi.waitFor(() => {
    const found = opened.findLast((one) => one.name === name);
    expect(found?.carrier.script.opened).toBe(1);
    return (found as (typeof opened)[number]).carrier;
  });
const stateOf = async (lane: Pick<Lane, 'id'>) => {
  const { rows } = await sql<{
    mode: string;
    up: boolean | null;
    holder: string | null;
    worker: string | null;
  }>`
    select mode, up, leased_by as holder, worker_id as worker from lanes where id = ${lane.id}`.execute(
    room.db,
  );
  return rows[0];
};

const workerIds = async (): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from workers`.execute(room.db);
  return rows.map(({ id }) => id);
};

it('a lane that is made while a worker runs sends, with its settings, which are sealed in the table', async () => {
  work();
  const lane = await make('made');
  const carrier = await carrierOf('made');
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 3 });
  await room.become(ids, 'SUCCESS');
  expect(carrier.sent).toHaveLength(3);
  expect(opened[0]?.settings).toEqual({ HOST: 'a', PASSWORD: 'secret' });
  const { rows } =
    await sql`select from lanes where position('secret' in encode(sealed_options, 'escape')) > 0`.execute(
      room.db,
    );
  expect(rows).toEqual([]);
});

it('a paused lane keeps what waits, and goes on when it is resumed', async () => {
  work();
  const lane = await make('pausing');
  await carrierOf('pausing');
  await changeMode(deps, lane.id, 'paused');
  await vi.waitFor(async () => expect((await stateOf(lane))?.holder).toBeNull());
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 5 });
  // Another lane that is made and served later: the worker has looked at both.
  const fence = await make('fence');
  await room.become(await room.accept({ accountId: await room.funded(1), lane: fence }), 'SUCCESS');
  expect(await room.countByStatus(ids)).toEqual({ PENDING: 5 });
  expect(await stateOf(lane)).toMatchObject({ up: null, mode: 'paused' });
  await changeMode(deps, lane.id, 'on');
  await room.become(ids, 'SUCCESS');
});

it('a draining lane sends what waits', async () => {
  const lane = await make('draining');
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 5 });
  await changeMode(deps, lane.id, 'draining');
  work();
  await room.become(ids, 'SUCCESS');
});

it('changed settings open the carrier again; settings that were not given stay', async () => {
  work();
  const lane = await make('changing');
  await carrierOf('changing');
  await changeLane(deps, lane.id, { settings: { HOST: 'b' } });
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  expect(opened[1]?.settings).toEqual({ HOST: 'b', PASSWORD: 'secret' });
  await carrierOf('changing');
  const ids = await room.accept({ accountId: await room.funded(10), lane });
  await room.become(ids, 'SUCCESS');
  await expect(changeLane(deps, lane.id, { settings: { HOST: '' } })).rejects.toThrow('E_LANE_SETTINGS');
  await expect(make('changing')).rejects.toThrow('E_LANE_EXISTS');
});

it('workers with different settings leave each other’s lanes alone; a lane is removed with its last settings', async () => {
  const [here, there] = [scriptedCarrier(), scriptedCarrier()];
  const first = await room.addLane(() => here.carrier);
  const second = await room.addLane(() => there.carrier);
  const before = await workerIds();
  const one = work([first]);
  const other = work([second]);
  // Only then do the settings go that have named both so far: a lane in nobody's settings would be removed.
  await vi.waitFor(async () => expect(await workerIds()).toHaveLength(before.length + 2));
  await sql`delete from workers where id = any(${before}::uuid[])`.execute(room.db);
  const accountId = await room.funded(10);
  const ids = [
    ...(await room.accept({ accountId, lane: first, count: 2 })),
    ...(await room.accept({ accountId, lane: second, count: 2 })),
  ];
  await room.become(ids, 'SUCCESS');
  expect([here.sent.length, there.sent.length]).toEqual([2, 2]);
  await stop(one);
  // Its settings still count, but nobody serves it.
  await vi.waitFor(async () => expect(await stateOf(first)).toMatchObject({ mode: 'on', up: false }));
  await vi.waitFor(async () => expect(await stateOf(second)).toMatchObject({ mode: 'on', up: true }));
  await stop(other);
  await sql`delete from workers`.execute(room.db);
  work([first]);
  await vi.waitFor(async () => expect(await stateOf(second)).toMatchObject({ mode: 'removed' }));
  expect(await stateOf(first)).toMatchObject({ mode: 'on' });
});

it('lanes spread over the workers that can reach them, and move when one ends', async () => {
  const lanes: Lane[] = [];
  for (let at = 0; at < 6; at += 1) lanes.push(await make(`spread-${at}`));
  const holders = async () => {
    const states = await Promise.all(lanes.map(stateOf));
    return Map.groupBy(states, (state) => (state?.holder && state.worker) || '');
  };
  // Long enough that a busy machine does not let a lease lapse, which would move the lanes once more.
  const leaseMs = 2_000;
  const one = work([], leaseMs);
  await vi.waitFor(async () => expect((await holders()).get('')).toBeUndefined(), 20_000);
  work([], leaseMs);
  await vi.waitFor(
    async () => expect([...(await holders()).values()].map(({ length }) => length)).toEqual([3, 3]),
    { timeout: 30_000, interval: 100 },
  );
  await stop(one);
  await vi.waitFor(async () => {
    const held = await holders();
    expect([...held.values()].map(({ length }) => length)).toEqual([6]);
    expect(held.get('')).toBeUndefined();
  }, 20_000);
});

it('a lane that the database gives to a worker which does not serve it is taken by that worker again, and by no other', async () => {
  const lane = await make('lost');
  const [own, other] = [newWorker('own'), newWorker('other')];
  for (const worker of [own, other])
    await renewWorker(room.db, { ...worker, leaseMs: 60_000, serving: true, laneIds: [] });
  const take = (worker: typeof own) =>
    takeLeases(room.db, worker.id, [{ laneId: lane.id, holder: randomUUID() }]);
  expect(await take(own)).toHaveLength(1);
  expect(await take(other)).toEqual([]);
  expect(await take(own)).toHaveLength(1);
  await sql`delete from workers`.execute(room.db);
});

it('a worker that renews too late keeps its lanes and their connections, also those that were found without a worker', async () => {
  const { carrier, script, sent } = scriptedCarrier();
  const lane = await room.addLane(() => carrier);
  work([lane]);
  const before = await vi.waitFor(async () => {
    const state = await stateOf(lane);
    expect(state).toMatchObject({ up: true });
    return state;
  });
  await room.db.transaction().execute(async (another) => {
    // Its renewals wait for this row.
    await sql`select from workers for update`.execute(another);
    await vi.waitFor(async () => {
      await markUnserved(room.db, 0);
      expect(await stateOf(lane)).toMatchObject({ up: false });
    });
    // The lease that the waiting renewal asked for lapses too.
    await sleep(700);
  });
  await vi.waitFor(async () => expect(await stateOf(lane)).toMatchObject({ up: true }));
  await room.become(await room.accept({ accountId: await room.funded(1), lane }), 'SUCCESS');
  expect(await stateOf(lane)).toEqual(before);
  expect(script.opened).toBe(1);
  expect(sent).toHaveLength(1);
});

it('a throttled lane sends no more than it may, also after another worker took it', async () => {
  const lane = await make('throttled');
  await changeLane(deps, lane.id, {
    throttle: { countTenMinute: 7, countOneHour: null, countEightHour: 20, countOneDay: null },
  });
  const ids = await room.accept({ accountId: await room.funded(10), lane, count: 20 });
  const one = work();
  await vi.waitFor(async () => expect(await room.countByStatus(ids)).toEqual({ SUCCESS: 7, PENDING: 13 }));
  await stop(one);
  work();
  await vi.waitFor(() => expect(opened).toHaveLength(2));
  const second = await carrierOf('throttled');
  await sleep(300);
  expect(second.sent).toEqual([]);
  // As if ten minutes had passed.
  await sql`update lane_sends set minute = minute - interval '11 minutes'`.execute(room.db);
  await changeLane(deps, lane.id, { place: '' });
  await vi.waitFor(async () => expect(await room.countByStatus(ids)).toEqual({ SUCCESS: 14, PENDING: 6 }));
});

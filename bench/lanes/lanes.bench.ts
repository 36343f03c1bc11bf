import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { makeLane } from '../../server/traffic/lanes/testing/index.ts';
import type { Definition, Result } from '../definition.ts';
import { describeMachine } from '../measuring/machine.ts';
import { measureChoosing } from './lanes-choosing.ts';
import { fillLanes, openLanesScene, startLanesWorker, untilServed } from './lanes-scene.ts';

const PARTS = ['idle', 'busy', 'choosing', 'made'] as const;
type Part = (typeof PARTS)[number];

interface Sizes {
  lanes: number;
  few: number;
  idleMs: number;
  each: number;
  perSecond: number;
  made: number;
  chosen: number;
}
const SIZES: Record<'full' | 'quick', Sizes> = {
  full: { lanes: 2_000, few: 10, idleMs: 30_000, each: 50, perSecond: 1, made: 20, chosen: 100_000 },
  quick: { lanes: 40, few: 4, idleMs: 500, each: 3, perSecond: 20, made: 2, chosen: 10_000 },
};

const MEGABYTE = 1_000_000;
const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ??
  Number.NaN;

/** What lanes without work cost a worker, in percent of a core and in megabytes. */
const idleCost = async (lanes: number, idleMs: number): Promise<{ percent: number; megabytes: number }> => {
  const scene = await openLanesScene();
  try {
    const worker = await startLanesWorker({ databaseUrl: scene.url, lanes, perSecond: 1 });
    await untilServed(scene.db, lanes);
    await sleep(idleMs / 5);
    const before = await worker.usage();
    const begun = performance.now();
    await sleep(idleMs);
    const after = await worker.usage();
    const micros = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system;
    await worker.stop();
    return { percent: micros / 10 / (performance.now() - begun), megabytes: after.rss / MEGABYTE };
  } finally {
    await scene.close();
  }
};

const measureIdle = async ({ lanes, few, idleMs }: Sizes): Promise<Result> => {
  const [small, large] = [await idleCost(few, idleMs), await idleCost(lanes, idleMs)];
  const more = large.megabytes - small.megabytes;
  return {
    rows: [
      { what: `${few} idle lanes: part of a core (%)`, figure: small.percent.toFixed(2) },
      { what: `${lanes} idle lanes: part of a core (%)`, figure: large.percent.toFixed(2) },
      { what: `${lanes} idle lanes: memory more than with ${few} (MB)`, figure: more.toFixed(0) },
    ],
    figures: { idlePercent: large.percent, idleMegabytes: more },
    bars: [
      { figure: 'idlePercent', max: 5 },
      { figure: 'idleMegabytes', max: 200 },
    ],
  };
};

/** Whether lanes with work are served alike: when each has sent its last message. */
const measureBusy = async ({ lanes, each, perSecond }: Sizes): Promise<Result> => {
  const scene = await openLanesScene();
  try {
    const worker = await startLanesWorker({ databaseUrl: scene.url, lanes, perSecond });
    await untilServed(scene.db, lanes);
    const { rows: ids } = await sql<{ id: number }>`select id from lanes where provider = 'bench'`.execute(
      scene.db,
    );
    const begun = performance.now();
    await fillLanes(
      scene.db,
      ids.map(({ id }) => id),
      each,
    );
    let left = lanes * each;
    while (left > 0) {
      await sleep(500);
      const { rows } = await sql<{ left: number }>`
        select count(*)::int as "left" from messages where status = 'PENDING'`.execute(scene.db);
      left = rows[0]?.left ?? 0;
    }
    const seconds = (performance.now() - begun) / 1_000;
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from max(sent_at) - min(created_at))::float8 as seconds from messages group by lane_id`.execute(
      scene.db,
    );
    await worker.stop();
    const times = rows.map((row) => row.seconds);
    const [median, slowest] = [quantile(times, 0.5), Math.max(...times)];
    return {
      rows: [
        {
          what: `${lanes} lanes with ${each} messages each: the median lane was done after (s)`,
          figure: median.toFixed(1),
        },
        { what: 'the slowest lane (s)', figure: slowest.toFixed(1) },
        { what: 'all results stored (s)', figure: seconds.toFixed(1) },
      ],
      figures: { slowestByMedian: slowest / median },
      bars: [{ figure: 'slowestByMedian', max: 1.2 }],
    };
  } finally {
    await scene.close();
  }
};

/** From the moment an admin makes a lane until its first message is with the carrier. */
const measureMade = async ({ few, made }: Sizes): Promise<Result> => {
  const scene = await openLanesScene();
  try {
    const worker = await startLanesWorker({ databaseUrl: scene.url, lanes: few, perSecond: 1_000 });
    await untilServed(scene.db, few);
    const provider = { name: 'bench', channel: 'sms', simulated: false, settings: [], secrets: [] } as const;
    const carrier = () => {
      throw new Error('only the worker opens it');
    };
    const deps = {
      db: scene.db,
      secretKey: randomBytes(32),
      providers: [{ ...provider, lane: () => ({ ...provider, provider: 'bench', carrier }) }],
      countWaiting: async () => new Map(),
      findUnknownAccount: async () => undefined,
    };
    const times: number[] = [];
    for (let at = 0; at < made; at += 1) {
      const sent = new Promise<number>((resolve) => {
        const hear = (message: object): void => {
          if (!('sent' in message)) return;
          worker.child.off('message', hear);
          resolve((message as unknown as { at: number }).at);
        };
        worker.child.on('message', hear);
      });
      const begun = Date.now();
      const laneId = await makeLane(deps, { name: `made-${at}`, provider: 'bench', settings: {} });
      await fillLanes(scene.db, [laneId], 1);
      times.push((await sent) - begun);
      await sleep(200);
    }
    await worker.stop();
    return {
      rows: [
        {
          what: 'a lane made by an admin until its first message is out: median (ms)',
          figure: quantile(times, 0.5).toFixed(0),
        },
        { what: 'the slowest (ms)', figure: Math.max(...times).toFixed(0) },
      ],
      figures: { madeMs: Math.max(...times) },
      bars: [{ figure: 'madeMs', max: 1_000 }],
    };
  } finally {
    await scene.close();
  }
};

const measureBulk = async ({ chosen }: Sizes): Promise<Result> => {
  const { microsecondsEach } = measureChoosing({ messages: chosen });
  return {
    rows: [
      {
        what: `choosing among 200 lanes for ${chosen} messages: each (µs)`,
        figure: microsecondsEach.toFixed(1),
      },
    ],
    figures: { choosingMicroseconds: microsecondsEach },
    bars: [{ figure: 'choosingMicroseconds', max: 20 }],
  };
};

const MEASURES: Record<Part, (sizes: Sizes) => Promise<Result>> = {
  idle: measureIdle,
  busy: measureBusy,
  choosing: measureBulk,
  made: measureMade,
};

const definition: Definition = {
  title: 'Lanes: many of them, idle, with work, and made while the program runs',
  parts: PARTS,
  run: async ({ quick, parts }) => {
    console.log(`${describeMachine()}\n`);
    const results: Result[] = [];
    for (const part of parts.length > 0 ? (parts as Part[]) : PARTS)
      results.push(await MEASURES[part](quick ? SIZES.quick : SIZES.full));
    return {
      rows: results.flatMap(({ rows }) => rows),
      figures: Object.assign({}, ...results.map(({ figures }) => figures)),
      bars: results.flatMap(({ bars }) => bars),
    };
  },
};
export default definition;

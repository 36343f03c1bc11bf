import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Definition, Result } from '../definition.ts';
import { proveHalf } from '../half-balance.ts';
import { insist } from '../load/insist.ts';
import { proveParts } from './sending-parts.ts';
import { openRound, optOut, planOf } from './sending-round.ts';
import { type Killable, openScene, type Scene } from './sending-scene.ts';
import { judge, readWorth } from './sending-verdict.ts';

const LOOK_MS = 100;
const PATIENCE_MS = 600_000;
const MUST_BE_ZERO = [
  'withoutOutcome',
  'lost',
  'acceptedTwice',
  'takenTwice',
  'sentButNotTaken',
  'failedButTaken',
  'optedOutSent',
  'sentEarly',
  'answeredDifferently',
  'missingEvents',
  'stillInChunks',
  'miscounted',
  'missingMicros',
  'differences',
  'halfMissed',
  'halfMissedMicros',
  'longTwice',
  'longDifferent',
  'longMissingMicros',
];

interface Sizes {
  rounds: number;
  count: number;
  /** Of the carrier, and how long it needs for each message. */
  window: number;
  latencyMs: number;
  kills: Killable[];
  half: number;
  /** Messages of several parts. */
  long: number;
}
const FULL: Sizes = {
  rounds: 10,
  count: 100_000,
  window: 100,
  latencyMs: 2,
  kills: ['worker', 'web', 'all', 'carrier', 'worker', 'database', 'all', 'web', 'worker', 'all'],
  half: 500,
  long: 8_000,
};
const QUICK: Sizes = {
  rounds: 1,
  count: 2_000,
  window: 10,
  // Slow enough that the last kill still finds messages that wait.
  latencyMs: 20,
  kills: ['all', 'worker', 'web'],
  half: 20,
  long: 300,
};

const countWaiting = async ({ db }: Scene): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where status = 'PENDING' and unknown_since is null`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
};

/** Until so many more have gone out, so that each kill hits a program that sends; false if that does not happen. */
const untilSent = async ({ centre }: Scene, more: number, isOver: () => boolean): Promise<boolean> => {
  const before = await centre.submits();
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !isOver(); await sleep(LOOK_MS))
    if ((await centre.submits()) >= before + more) return true;
  return false;
};

const killOn = async (scene: Scene, { kills, count }: Sizes, isOver: () => boolean) => {
  const done: Record<Killable, number> = { worker: 0, web: 0, carrier: 0, database: 0, all: 0 };
  for (const what of kills) {
    if (!(await untilSent(scene, count / (kills.length * 2), isOver))) break;
    await sleep(randomInt(100));
    await scene.kill(what);
    done[what] += 1;
  }
  return done;
};

const untilNoneWaits = async (scene: Scene): Promise<void> => {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(LOOK_MS))
    if ((await insist(() => countWaiting(scene))) === 0) return;
};

const runRound = async (scene: Scene, round: number, sizes: Sizes) => {
  const { posthorn, plain, subscriber } = scene;
  for (const customer of [plain, subscriber]) await posthorn.refill(customer);
  const worthBefore = await readWorth(scene);
  const plan = planOf(round, sizes.count);
  const began = performance.now();
  let isOver = false;
  const { sendAll, repeat } = openRound(scene, plan);
  const sending = sendAll()
    .then(() => untilNoneWaits(scene))
    .finally(() => {
      isOver = true;
    });
  const [kills] = await Promise.all([killOn(scene, sizes, () => isOver), sending]);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const answeredDifferently = await repeat();
  await untilNoneWaits(scene);
  // Receipts of the messages that were sent last.
  await sleep(1_000);
  // A web process has nothing in flight to the carrier.
  const doubtAllowed = kills.worker + kills.carrier + kills.database + kills.all;
  const verdict = await judge(scene, plan, { worthBefore, doubtAllowed });
  return { round, seconds, ...kills, ...verdict, answeredDifferently };
};

const prove = async (scene: Scene, sizes: Sizes, quick: boolean): Promise<Result> => {
  const half = await proveHalf(scene, sizes.half);
  const long = await proveParts(scene, sizes.long);
  await optOut(scene);
  const rows: Awaited<ReturnType<typeof runRound>>[] = [];
  for (let round = 1; round <= sizes.rounds; round += 1) {
    const row = await runRound(scene, round, sizes);
    if (!quick) console.log(JSON.stringify(row));
    rows.push(row);
  }
  const names = Object.keys(rows[0] ?? {}).filter(
    (name) => name !== 'round',
  ) as (keyof (typeof rows)[number])[];
  const sums = Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]));
  const kills = new Set(sizes.kills).values().reduce((sum, what) => sum + (sums[what] ?? 0), 0);
  return {
    rows,
    figures: { ...sums, ...half, ...long, kills },
    bars: [
      { figure: 'kills', min: quick ? 1 : sizes.rounds * 5 },
      { figure: 'sent', min: (sizes.rounds * sizes.count) / 4 },
      ...MUST_BE_ZERO.map((figure) => ({ figure, max: 0 })),
      ...(quick ? [] : [{ figure: 'unknownBeyondWindow', max: 0 }]),
    ],
  };
};

const definition: Definition = {
  title:
    'Every accepted message has one outcome, through kill -9 of web, worker, carrier and PostgreSQL, each and all together',
  run: async ({ quick, size = 1 }) => {
    const sizes = quick ? QUICK : { ...FULL, rounds: Math.ceil(FULL.rounds * size) };
    const folder = await mkdtemp(join(tmpdir(), 'posthorn-sending-'));
    try {
      const scene = await openScene(folder, sizes);
      try {
        return await prove(scene, sizes, quick);
      } finally {
        await scene.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
export default definition;

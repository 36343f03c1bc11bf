import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Definition, Result } from '../definition.ts';
import { type Customer, type Manner, openScene, type Scene } from './webhooks-scene.ts';

const GOOD = 5;
const BAD: Manner[] = ['hang', 'fail', 'redirect', 'close', 'hang'];
const LONGEST_MS = 180_000;

interface Round {
  what: string;
  /** Of the receivers that misbehave. */
  bad: Manner[];
  kills: number;
  events: number;
}

const seen = (customers: Customer[]): number =>
  customers.reduce((sum, { receiver }) => sum + receiver.ids().size, 0);

/** Until the healthy receivers have all events; with kills in between, each after another part has arrived. */
const watch = async (scene: Scene, good: Customer[], { kills, total }: { kills: number; total: number }) => {
  const began = performance.now();
  const worker = await scene.openWorker();
  const started = performance.now();
  let killed = 0;
  while (seen(good) < total && performance.now() - began < LONGEST_MS) {
    if (killed < kills && seen(good) >= (total * (killed + 1)) / (kills + 1)) {
      await worker.kill();
      killed += 1;
    }
    await sleep(5);
  }
  const seconds = (performance.now() - started) / 1_000;
  return { worker, killed, seconds };
};

const judge = async (scene: Scene, customers: Customer[], each: number) => {
  const tally = { missing: 0, strange: 0, unsigned: 0, repeated: 0, tried: 0 };
  for (const customer of customers) {
    const { received } = customer.receiver;
    const known = new Set(await scene.idsOf(customer));
    const ids = customer.receiver.ids();
    if (customer.manner === 'answer') {
      tally.missing += each - [...known].filter((id) => ids.has(id)).length;
      tally.repeated += received.length - ids.size;
    } else tally.tried += received.length;
    tally.strange += [...ids].filter((id) => !known.has(id)).length;
    tally.unsigned += received.filter((one) => !customer.isSigned(one)).length;
    // The same id is the same event: its body never changes.
    const bodies = new Map(received.map(({ id, body }) => [id, body]));
    tally.strange += received.filter(({ id, body }) => bodies.get(id) !== body).length;
  }
  return tally;
};

const runRound = async (scene: Scene, { what, bad, kills, events }: Round) => {
  const each = events / (GOOD + BAD.length);
  const good = await Promise.all(Array.from({ length: GOOD }, () => scene.addCustomer('answer')));
  const others = await Promise.all(bad.map((manner) => scene.addCustomer(manner)));
  const all = [...others, ...good];
  for (const customer of all) await scene.acceptAll(customer, each);
  const { worker, killed, seconds } = await watch(scene, good, { kills, total: each * GOOD });
  // Only now it shows what was sent twice.
  await sleep(500);
  await worker.stop();
  const tally = await judge(scene, all, each);
  await Promise.all(all.map(({ receiver }) => receiver.close()));
  return {
    what,
    events: each * all.length,
    killed,
    'answering served in (s)': Number(seconds.toFixed(2)),
    ...tally,
  };
};

const prove = async (scene: Scene, quick: boolean): Promise<Result> => {
  const events = quick ? 500 : 10_000;
  // The first round warms the database and the machine; it is not printed.
  await runRound(scene, { what: 'warm-up', bad: [], kills: 0, events: quick ? 100 : 2_000 });
  const rounds = [
    { what: 'all answer', bad: [], kills: 0, events },
    { what: 'half hang, fail, redirect or close', bad: BAD, kills: 0, events },
    { what: 'the same, with the worker killed', bad: BAD, kills: quick ? 2 : 5, events },
  ];
  const rows: Awaited<ReturnType<typeof runRound>>[] = [];
  for (const round of rounds) rows.push(await runRound(scene, round));
  const sum = (name: 'missing' | 'strange' | 'unsigned' | 'repeated' | 'killed') =>
    rows.reduce((total, row) => total + row[name], 0);
  const secondsOf = (at: number) => rows[at]?.['answering served in (s)'] ?? Number.NaN;
  return {
    rows,
    figures: {
      missing: sum('missing'),
      strange: sum('strange'),
      unsigned: sum('unsigned'),
      repeated: sum('repeated'),
      kills: sum('killed'),
      secondsAlone: secondsOf(0),
      secondsBesideSlow: secondsOf(1),
      slowdown: Number((secondsOf(1) / secondsOf(0)).toFixed(2)),
    },
    bars: [
      { figure: 'missing', max: 0 },
      { figure: 'strange', max: 0 },
      { figure: 'unsigned', max: 0 },
      { figure: 'kills', min: quick ? 2 : 5 },
      // A quick run is too short to be timed.
      ...(quick ? [] : [{ figure: 'slowdown', max: 1.5 }]),
    ],
  };
};

const definition: Definition = {
  title:
    'Every event reaches each receiver that answers, with its id, whatever the others do and through kill -9',
  run: async ({ quick }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-webhooks-'));
    try {
      const scene = await openScene(dataDir);
      try {
        return await prove(scene, quick);
      } finally {
        await scene.close();
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;

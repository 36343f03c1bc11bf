import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { QUERY_TIMEOUT_MS } from '../contract/office/query.ts';
import { readWallet } from '../server/customer/wallet/index.ts';
import { memoryOfZones } from '../server/start/testing/zones-server.ts';
import type { Definition } from './definition.ts';
import { openQueryScene, type QueryScene } from './query-scene.ts';
import { HONEST, hostileFor } from './query-statements.ts';
import { median } from './sending/sending-table.ts';

const ZONES = [1, 11] as const;
/** Who attacks at one moment: there is a place for the analyst beside them. */
const ATTACKERS = 8;
const PAUSE_MS = 200;
const LOOK_MS = 500;
/** After the end of a statement was told, its backend may be there for so long. */
const GONE_MS = 10_000;

const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/** Calls again and again until it is stopped, and answers how long each took. */
const repeatedly = (work: () => Promise<unknown>, pauseMs: number) => {
  const tookMs: number[] = [];
  let stopped = false;
  const done = (async () => {
    while (!stopped) {
      const begun = performance.now();
      await work();
      tookMs.push(performance.now() - begun);
      await sleep(pauseMs);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await done;
      return tookMs;
    },
  };
};

interface Round {
  /** Of the analyst's statements, and of those of the server that holds money. */
  p95: number;
  moneyP95: number;
  unanswered: string[];
}

type Analyst = Awaited<ReturnType<QueryScene['makeAdmin']>>;

const honestRound = async (scene: QueryScene, analyst: Analyst, statements: number): Promise<Round> => {
  const money = repeatedly(() => readWallet(scene.db, analyst.accountId), PAUSE_MS / 4);
  const tookMs: number[] = [];
  const unanswered: string[] = [];
  for (let at = 0; at < statements; at += 1) {
    const begun = performance.now();
    const sql = HONEST[Math.floor(at / ZONES.length) % HONEST.length] ?? '';
    const why = await scene.query(analyst.token, ZONES[at % ZONES.length] ?? 1, sql);
    tookMs.push(performance.now() - begun);
    if (why !== undefined) unanswered.push(why);
    await sleep(PAUSE_MS);
  }
  return { p95: p95(tookMs), moneyP95: p95(await money.stop()), unanswered };
};

/** Watches the servers of the zones: the most memory that ours has, and the longest that a backend is there. */
const watch = (scene: QueryScene) => {
  const since = new Map<string, number>();
  let megabytes = 0;
  let longestMs = 0;
  const looking = repeatedly(async () => {
    const now = performance.now();
    const seen = await scene.look();
    megabytes = Math.max(megabytes, seen.megabytes);
    for (const one of since.keys()) if (!seen.backends.includes(one)) since.delete(one);
    for (const one of seen.backends) {
      if (!since.has(one)) since.set(one, now);
      longestMs = Math.max(longestMs, now - (since.get(one) ?? now));
    }
  }, LOOK_MS);
  return {
    stop: async () => {
      await looking.stop();
      return { megabytes, longestMs };
    },
  };
};

const definition: Definition = {
  title: 'Hostile statements in the query tool while an analyst works',
  run: async ({ quick }) => {
    const [rounds, statements, hostile] = quick ? [1, 20, 16] : [5, 100, 40];
    const dataDir = await mkdtemp(join(tmpdir(), 'posthorn-query-'));
    let scene: QueryScene | undefined;
    try {
      const opened = await openQueryScene(dataDir);
      scene = opened;
      const analyst = await opened.makeAdmin();
      const started = await opened.startOfMoney();
      // What is opened once is opened.
      await honestRound(opened, analyst, HONEST.length * ZONES.length);
      const texts = ZONES.map((zone) => ({ zone, all: hostileFor(opened.engines[zone]) }));
      let sent = 0;
      const next = (): [zone: number, sql: string] => {
        const { zone, all } = texts[sent % texts.length] ?? { zone: 1, all: [] };
        const sql = all[Math.floor(sent / texts.length) % all.length] ?? '';
        sent += 1;
        return [zone, sql];
      };
      /** Others in each round: who ends everybody's statements twice has no turn any more. */
      const attack = async (): Promise<void> => {
        const last = sent + hostile;
        const attackers = await Promise.all(Array.from({ length: ATTACKERS }, opened.makeAdmin));
        await Promise.all(
          attackers.map(async ({ token }) => {
            while (sent < last) await opened.query(token, ...next());
          }),
        );
      };

      const rows: Record<string, string | number>[] = [];
      const ratios: number[] = [];
      const moneyRatios: number[] = [];
      const unanswered: string[] = [];
      let left = 0;
      let mostMb = 0;
      let longestMs = 0;
      for (let round = 1; round <= rounds; round += 1) {
        const alone = await honestRound(opened, analyst, statements);
        const watching = watch(opened);
        const attacking = attack();
        const attacked = await honestRound(opened, analyst, statements);
        await attacking;
        const end = Date.now() + GONE_MS;
        while ((await opened.look()).backends.length > 0 && Date.now() < end) await sleep(LOOK_MS);
        const seen = await watching.stop();
        left += (await opened.look()).backends.length;
        mostMb = Math.max(mostMb, seen.megabytes);
        longestMs = Math.max(longestMs, seen.longestMs);
        unanswered.push(...alone.unanswered, ...attacked.unanswered);
        ratios.push(attacked.p95 / alone.p95);
        moneyRatios.push(attacked.moneyP95 / alone.moneyP95);
        rows.push({
          round,
          'p95 alone (ms)': Math.round(alone.p95),
          'p95 attacked (ms)': Math.round(attacked.p95),
          'not answered': alone.unanswered.length + attacked.unanswered.length,
          'money p95 alone (ms)': Number(alone.moneyP95.toFixed(1)),
          'money p95 attacked (ms)': Number(attacked.moneyP95.toFixed(1)),
          'memory of the zones (MB)': Math.round(seen.megabytes),
          'longest backend (s)': Number((seen.longestMs / 1000).toFixed(1)),
        });
      }
      return {
        rows: [...rows, ...[...new Set(unanswered)].map((why) => ({ round: why }))],
        figures: {
          hostile: sent,
          unanswered: unanswered.length,
          ratio: median(ratios),
          moneyRatio: median(moneyRatios),
          backendsLeft: left,
          longestBackendSeconds: longestMs / 1000,
          zonesMb: mostMb,
          moneyRestarts: Number((await opened.startOfMoney()) !== started),
        },
        bars: [
          { figure: 'hostile', min: hostile * rounds },
          { figure: 'unanswered', max: 0 },
          // A machine that does something else besides says nothing of times.
          ...(quick
            ? []
            : [
                { figure: 'ratio', max: 2 },
                { figure: 'moneyRatio', max: 2 },
                { figure: 'longestBackendSeconds', max: (QUERY_TIMEOUT_MS + GONE_MS) / 1000 },
              ]),
          { figure: 'backendsLeft', max: 0 },
          { figure: 'zonesMb', max: memoryOfZones().whole },
          { figure: 'moneyRestarts', max: 0 },
        ],
      };
    } finally {
      await scene?.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
export default definition;

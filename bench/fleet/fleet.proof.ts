import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Definition, Result } from '../definition.ts';
import { KILLS, type KillsPlan, proveAway, proveDown, proveKills, untilKillsOver } from './fleet-parts.ts';
import { type Fleet, type FleetSizes, hasGammu, openFleet } from './fleet-scene.ts';
import { judgeFleet, settle } from './fleet-verdict.ts';

interface Sizes extends FleetSizes, KillsPlan {
  awayMessages: number;
  downMessages: number;
  /** For the network's word on a message that is in doubt. */
  doubtMs: number;
  quietMs: number;
}

const any = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;

/** A run of gammu takes seconds, so it sends one message a modem, and its agent is not among those that are killed. */
const QUICK: Sizes = {
  serialModems: 2,
  gammuModems: 2,
  latencyMs: 20,
  serialPollMs: 500,
  gammuPollMs: 500,
  serialMessages: 60,
  gammuMessages: 2,
  kills: KILLS,
  victim: (at, [first, second]) => (at % 2 === 0 ? first : second),
  incoming: 2,
  awayMessages: 20,
  downMessages: 20,
  doubtMs: 10_000,
  quietMs: 60_000,
  withinMs: 120_000,
};
/** As many modems as it takes for gammu to be done within a quarter of an hour. */
const FULL: Sizes = {
  serialModems: 10,
  gammuModems: 100,
  latencyMs: 20,
  serialPollMs: 2_000,
  gammuPollMs: 60_000,
  serialMessages: 10_000,
  gammuMessages: 10_000,
  kills: Array.from({ length: 40 }, () => any(KILLS)),
  victim: (_, places) => any(places),
  incoming: 5,
  awayMessages: 500,
  downMessages: 500,
  doubtMs: 180_000,
  quietMs: 300_000,
  withinMs: 3_600_000,
};

/** A share of the whole run: as many modems, fewer messages and kills. */
const partOf = (share: number): Sizes => {
  const part = (count: number): number => Math.ceil(count * share);
  const { serialMessages, gammuMessages, awayMessages, downMessages, kills } = FULL;
  return {
    ...FULL,
    serialMessages: part(serialMessages),
    gammuMessages: part(gammuMessages),
    awayMessages: part(awayMessages),
    downMessages: part(downMessages),
    kills: kills.slice(0, part(kills.length)),
  };
};

const NONE = [
  'twice',
  'lost',
  'missing',
  'failed',
  'withoutReceipt',
  'incomingMissing',
  'incomingTwice',
  'inDoubtBeyond',
];

const prove = async (fleet: Fleet, sizes: Sizes): Promise<Result> => {
  const { awayMessages, downMessages, withinMs } = sizes;
  const byGammu = fleet.places.third ? sizes.gammuMessages : 0;
  const rows: Record<string, string | number>[] = [];
  const timed = async <T>(what: string, count: number, work: Promise<T>): Promise<T> => {
    const began = performance.now();
    const came = await work;
    rows.push({ what, count, seconds: Math.round((performance.now() - began) / 1_000) });
    return came;
  };
  const plan = { ...sizes, gammuMessages: byGammu };
  const { kills, serialMessages } = plan;
  const mayBeInDoubt = await timed('kills among messages', kills.length, proveKills(fleet, plan));
  await timed('an agent away: messages', awayMessages, proveAway(fleet, awayMessages, withinMs));
  const markedInDoubt = await timed(
    'a phone DOWN in a file: messages',
    downMessages,
    proveDown(fleet, downMessages, withinMs),
  );
  await timed('until all are sent: messages', serialMessages + byGammu, untilKillsOver(fleet, withinMs));
  await timed('until all receipts are there', 0, settle(fleet, sizes));
  const found = await judgeFleet(fleet);
  const figures = {
    ...found,
    markedInDoubt,
    inDoubtBeyond: Math.max(0, found.inDoubt - mayBeInDoubt - markedInDoubt),
  };
  const accepted = serialMessages + byGammu + awayMessages + downMessages;
  return {
    rows: [
      ...(byGammu === 0 ? [{ what: 'gammu is not installed: by serialport alone', count: 0 }] : []),
      ...rows,
      ...Object.entries(figures).map(([what, count]) => ({ what, count })),
    ],
    figures,
    bars: [
      { figure: 'messages', min: accepted, max: accepted },
      { figure: 'byGammu', min: Math.max(0, byGammu - mayBeInDoubt), max: byGammu },
      { figure: 'movedFromAway', min: 1 },
      { figure: 'movedFromDown', min: 1 },
      { figure: 'markedInDoubt', min: 1 },
      ...NONE.map((figure) => ({ figure, max: 0 })),
    ],
  };
};

const definition: Definition = {
  title: `A fleet of modems by serialport${hasGammu() ? ' and gammu' : ''}: agents, lines, web and worker are killed, a place is away, a phone is DOWN`,
  run: async ({ quick, size = 1 }) => {
    const sizes = quick ? QUICK : partOf(size);
    const folder = await mkdtemp(join(tmpdir(), 'posthorn-fleet-'));
    try {
      const fleet = await openFleet(folder, sizes);
      try {
        return await prove(fleet, sizes);
      } finally {
        await fleet.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};
export default definition;

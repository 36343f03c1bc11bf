import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PhoneId, PhoneSetting } from '../../contract/fleet/phones.ts';
import { adminAgentRoutes } from '../../server/fleet/agents/index.ts';
import type { Db } from '../../server/ground/postgres/index.ts';
import { openTestPhones } from '../../test/phones.ts';
import { freePort, type Program } from '../../test/program.ts';
import { type Customer, openPosthorn } from '../posthorn.ts';
import { type FleetAgent, type PlacePlan, startAgent } from './fleet-agent.ts';
import { openLine } from './fleet-line.ts';
import { startModems } from './fleet-modems.ts';

const READY_MS = 120_000;
const LOOK_MS = 200;
/** Messages are routed by facts that are up to a second old. */
const FACTS_MS = 1_100;
/** What waits in a lane that is down moves after this; half a minute is usual. */
const PATIENCE_SECONDS = '2';

/** Where it is not installed, the proof is that of serial modems alone. */
export const hasGammu = (): boolean => spawnSync('gammu', ['--version']).status === 0;

export interface FleetSizes {
  /** At each of two places by serialport, and at a third by gammu. */
  serialModems: number;
  gammuModems: number;
  latencyMs: number;
  serialPollMs: number;
  gammuPollMs: number;
}

export const until = async (what: string, isSo: () => Promise<boolean>, ms = READY_MS): Promise<void> => {
  for (const end = Date.now() + ms; !(await isSo()); await sleep(LOOK_MS))
    if (Date.now() > end) throw new Error(`${what} has not happened within ${ms / 1_000} s`);
};

const placesOf = ({ serialModems, gammuModems, serialPollMs, gammuPollMs }: FleetSizes) => {
  const serial = { driver: 'serial', pollMs: serialPollMs, answerMs: 60_000, count: serialModems } as const;
  const gammu = { driver: 'gammu', pollMs: gammuPollMs, answerMs: 90_000, count: gammuModems } as const;
  const places: (PlacePlan & { count: number })[] = [
    { ...serial, name: 'first' },
    // Its modems lose answers: that is soon told.
    { ...serial, name: 'second', answerMs: 6_000 },
  ];
  return hasGammu() ? [...places, { ...gammu, name: 'third' }] : places;
};

/** Switches the phones on, each lent to the customer of its driver: gammu sends its share, however slow it is. */
const switchOn = async (db: Db, lentTo: { serial: Customer; gammu: Customer }): Promise<void> => {
  const phones = openTestPhones(db);
  const { rows } = await sql<{ id: PhoneId; setting: PhoneSetting }>`
    select id, setting from phones where agent_id is not null`.execute(db);
  for (const { id, setting } of rows) {
    const { accountId } = setting.method === 'gammu' ? lentTo.gammu : lentTo.serial;
    const lent = { ...setting, dedicatedTo: [accountId] };
    await phones.edit(id, { setting: JSON.stringify(lent) }, { smsActive: true });
  }
};

const countRows = async (db: Db, { table, condition }: { table: string; condition: string }) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where ${sql.raw(condition)}`.execute(db);
  return rows[0]?.count ?? 0;
};

/** The program in two processes, agents at two or three places in others, and emulated modems. */
export const openFleet = async (folder: string, sizes: FleetSizes) => {
  await using opening = new AsyncDisposableStack();
  const posthorn = await openPosthorn(folder);
  opening.defer(posthorn.close);
  const { db } = posthorn;
  const port = await freePort();
  const env = { FAILOVER_AFTER_SECONDS: PATIENCE_SECONDS };
  const start = {
    web: () => posthorn.start(['web'], { ...env, PORT: String(port) }),
    worker: () => posthorn.start(['worker'], env),
  };
  const [web, worker] = await Promise.all([start.web(), start.worker()]);
  const programs: Record<keyof typeof start, Program> = { web, worker };
  const places = placesOf(sizes);
  const count = places.reduce((sum, place) => sum + place.count, 0);
  const emulator = await startModems(join(folder, 'modems'), { count, latencyMs: sizes.latencyMs });
  opening.defer(emulator.close);

  const routes = adminAgentRoutes({ db, publicUrl: web.url, phones: { db } as never });
  const makeKey = routes['POST /admin/agentKeys'] as (input: object) => Promise<{ key: string }>;
  const agents: FleetAgent[] = [];
  let given = 0;
  for (const { count: own, ...place } of places) {
    const line = await openLine(port);
    opening.defer(line.close);
    const { key } = await makeKey({ caller: { accountId: randomUUID() }, changed: () => {} });
    const modems = emulator.modems.slice(given, given + own);
    const agent = await startAgent({ ...place, folder: join(folder, place.name), key, line, modems });
    opening.defer(agent.close);
    agents.push(agent);
    given += own;
  }
  const [customer, gammuCustomer] = await posthorn.customers(2);
  const [first, second, third] = agents;
  if (!customer || !gammuCustomer || !first || !second) throw new Error('the fleet is not complete');
  const reach = (what: string, table: string, condition: string): Promise<void> =>
    until(what, async () => (await countRows(db, { table, condition })) === count);
  await reach('a report of every modem', 'phones', 'agent_id is not null and last_heartbeat_at is not null');
  await switchOn(db, { serial: customer, gammu: gammuCustomer });
  await reach('a lane of every modem', 'lanes', `phone_id is not null and mode = 'on' and up`);
  await sleep(FACTS_MS);
  const ending = opening.move();
  return {
    db,
    emulator,
    agents,
    places: { first, second, third },
    customer,
    gammuCustomer,
    url: web.url,
    /** `kill -9` of a process of the program, and the next one in its place. */
    restart: async (role: keyof typeof start): Promise<void> => {
      await posthorn.kill([programs[role]], { database: false });
      programs[role] = await start[role]();
    },
    close: () => ending.disposeAsync(),
  };
};
export type Fleet = Awaited<ReturnType<typeof openFleet>>;

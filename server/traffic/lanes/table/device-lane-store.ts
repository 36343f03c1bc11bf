import { sql } from 'kysely';
import type { AccountId } from '../../../../contract/customer/accounts.ts';
import type { Db } from '../../../ground/postgres/index.ts';
import type { Lease } from '../serving/lease-store.ts';
import { announceLanes } from '../serving/wake-store.ts';
import { IS_ALIVE } from '../serving/worker-store.ts';
import { setLaneMode } from './change-store.ts';
import type { LaneMode } from './store.ts';

/** A device of one account, as a lane. */
export interface DeviceLane {
  /** The device's id. */
  name: string;
  accountId: AccountId;
  provider: string;
  simulated: boolean;
}

/** Routing never compares it: only messages that name the device are in it. */
const PREFERENCE = 100;

/** Undefined if the name is taken. It has no route: nothing else ever sends its messages. */
export const insertDeviceLane = async (
  trx: Db,
  { name, accountId, provider, simulated }: DeviceLane,
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    insert into lanes (name, channel, provider, simulated, source, preference, dedicated_to)
    values (${name}, 'whatsapp', ${provider}, ${simulated}, 'device', ${PREFERENCE}, array[${accountId}]::uuid[])
    on conflict (name) do nothing returning id`.execute(trx);
  await announceLanes(trx);
  return rows[0]?.id;
};

/** `reopen`: what its driver has to know has changed, so that the worker opens it again. */
export const setDeviceLane = async (
  trx: Db,
  laneId: number,
  { mode, reopen = false }: { mode: LaneMode; reopen?: boolean },
): Promise<void> => {
  await setLaneMode(trx, laneId, mode);
  if (reopen) await sql`update lanes set revision = revision + 1 where id = ${laneId}`.execute(trx);
  // Nobody needs the secrets of a number that is gone.
  if (mode === 'removed') await sql`update lanes set sealed_options = null where id = ${laneId}`.execute(trx);
  await announceLanes(trx);
};

/** The number that it is paired with: replies come to it. */
export const setDeviceNumber = async (trx: Db, laneId: number, sender: string): Promise<void> => {
  await sql`update lanes set sender = ${sender} where id = ${laneId} and source = 'device'`.execute(trx);
};

/** How a device's lane is served now. */
export interface DeviceLaneState {
  id: number;
  up: boolean;
  /** The lane has been up since its worker took it. */
  wasUp: boolean;
  /** Why it is not up, as its carrier said. */
  reason: string;
  /** A living worker has it. */
  held: boolean;
  worker: string;
  provider: string;
  simulated: boolean;
}

export const readDeviceLanes = async (db: Db, laneIds: number[]): Promise<Map<number, DeviceLaneState>> => {
  const { rows } = await sql<DeviceLaneState>`
    select l.id, l.up is true and l.was_up and w.id is not null as up, l.was_up as "wasUp", w.id is not null as held, coalesce(w.name, '') as worker,
      l.state_reason as reason, l.provider, l.simulated
    from lanes l left join workers w on w.id = l.worker_id and l.leased_by is not null and ${IS_ALIVE}
    where l.id = any(${laneIds}::int[])`.execute(db);
  return new Map(rows.map((lane) => [lane.id, lane]));
};

/** Who holds the lane now; undefined if nobody does. */
export const findLease = async (db: Db, laneId: number): Promise<Lease | undefined> => {
  const { rows } = await sql<Lease>`
    select id as "laneId", leased_by as holder from lanes where id = ${laneId} and leased_by is not null`.execute(
    db,
  );
  return rows[0];
};

/** Whether this lane wrote to this person before. */
export const hasMet = async (
  db: Db,
  { laneId, recipient }: { laneId: number; recipient: string },
): Promise<boolean> => {
  const { rows } = await sql<{ met: boolean }>`
    select exists (select from lane_recipients
      where lane_id = ${laneId} and recipient = hashtextextended(${recipient}, 0)) as met`.execute(db);
  return rows[0]?.met ?? false;
};

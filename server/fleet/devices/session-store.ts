import { sql } from 'kysely';
import type { Db } from '../../ground/postgres/index.ts';
import { isHeldBy, type Lease } from '../../traffic/lanes/index.ts';
import type { DeviceRow } from './device.ts';

/** Whose it is, when it is sealed. */
export const sessionOwner = ({ id }: Pick<DeviceRow, 'id'>): string => `device:${id}`;

export const findDeviceSession = async (db: Db, id: string): Promise<Buffer | undefined> => {
  const { rows } = await sql<{
    sealed: Buffer;
  }>`select sealed from device_sessions where device_id = ${id}`.execute(db);
  return rows[0]?.sealed;
};

/**
 * False if this worker has lost the device, because the session of its successor must not be replaced by an older one; or
 * if the device was deleted, which the lock waits for.
 */
export const storeSession = async (
  db: Db,
  { id, sealed, lease }: { id: string; sealed: Buffer; lease: Lease },
): Promise<boolean> => {
  const { rows } = await sql`
    insert into device_sessions (device_id, sealed)
    select id, ${sealed}::bytea from devices where id = ${id} and deleted_at is null and ${isHeldBy(lease)}
    for share of devices
    on conflict (device_id) do update set sealed = excluded.sealed, stored_at = now() returning device_id`.execute(
    db,
  );
  return rows.length > 0;
};

/** A device that was deleted and still has a session. */
export interface LeftSession extends Pick<DeviceRow, 'id' | 'laneId' | 'deviceId' | 'countryCode'> {
  /** It was deleted so long ago that nobody will log it out any more. */
  isOld: boolean;
}

export const listLeftSessions = async (
  db: Db,
  { minutes, limit }: { minutes: number; limit: number },
): Promise<LeftSession[]> => {
  const { rows } = await sql<LeftSession>`
    select d.id, d.lane_id as "laneId", d.device_id as "deviceId", d.country as "countryCode",
      d.deleted_at < now() - make_interval(mins => ${minutes}) as "isOld"
    from device_sessions s join devices d on d.id = s.device_id
    where d.deleted_at is not null order by d.deleted_at limit ${limit}`.execute(db);
  return rows;
};

/** Undefined if somebody else took it. */
export const takeSession = async (db: Db, id: string): Promise<Buffer | undefined> => {
  const { rows } = await sql<{ sealed: Buffer }>`
    delete from device_sessions where device_id = ${id} returning sealed`.execute(db);
  return rows[0]?.sealed;
};

export const removeDeviceSession = async (trx: Db, id: string): Promise<void> => {
  await sql`delete from device_sessions where device_id = ${id}`.execute(trx);
};

import { sql } from 'kysely';
import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Device, DeviceId } from '../../../contract/fleet/devices.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { isHeldBy, type Lease } from '../../traffic/lanes/index.ts';
import type { DeviceRow } from './device.ts';
import type { DeviceEnd } from './driver.ts';

const columns = sql`id, device_id as "deviceId", account_id as "accountId", lane_id as "laneId",
  country as "countryCode", type, phone_name as "phoneName", created_at as "createdAt", wanted, ended,
  changed_at as "changedAt", phone_number as "phoneNumber", display_name as "displayName", paired_at as "pairedAt",
  pair_by_code_of as "pairByCodeOf", pairing, port, warned_until as "warnedUntil", moved_to as "movedTo"`;

const MOST_LISTED = 10_000;

/** Without an account: of every account. */
export const listDevices = async (db: Db, accountId: AccountId | undefined): Promise<DeviceRow[]> => {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from devices where deleted_at is null
      ${accountId ? sql`and account_id = ${accountId}` : sql``}
    order by created_at desc, device_id limit ${MOST_LISTED}`.execute(db);
  return rows;
};

/** A device as its owner gets it in a copy of their data. */
type DeviceFacts = Pick<
  DeviceRow,
  | 'deviceId'
  | 'type'
  | 'countryCode'
  | 'phoneName'
  | 'phoneNumber'
  | 'displayName'
  | 'createdAt'
  | 'wanted'
  | 'ended'
  | 'changedAt'
  | 'pairedAt'
  | 'warnedUntil'
> & { deletedAt: Date | null };

/** All that an account has or had; of those that it deleted hardly anything is left. */
export const listDeviceFacts = async (db: Db, accountId: AccountId): Promise<DeviceFacts[]> => {
  const { rows } = await sql<DeviceFacts>`
    select device_id as "deviceId", type, country as "countryCode", phone_name as "phoneName",
      phone_number as "phoneNumber", display_name as "displayName", created_at as "createdAt", wanted, ended,
      changed_at as "changedAt", paired_at as "pairedAt", warned_until as "warnedUntil", deleted_at as "deletedAt"
    from devices where account_id = ${accountId} order by created_at, device_id`.execute(db);
  return rows;
};

/** Locked, to change it; undefined if it is not the account's. */
export const lockDevice = async (
  trx: Db,
  { accountId, deviceId }: Pick<DeviceRow, 'accountId' | 'deviceId'>,
): Promise<DeviceRow | undefined> => {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from devices where device_id = ${deviceId} and account_id = ${accountId} and deleted_at is null
    for update`.execute(trx);
  return rows[0];
};

export const findDeviceOfLane = async (db: Db, laneId: number): Promise<DeviceRow | undefined> => {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from devices where lane_id = ${laneId} and deleted_at is null`.execute(db);
  return rows[0];
};

/** Locked, for what its driver tells; undefined if this worker has lost it, or it was deleted. */
export const lockHeldDevice = async (
  trx: Db,
  { id, lease }: { id: string; lease: Lease },
): Promise<DeviceRow | undefined> => {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from devices where id = ${id} and deleted_at is null and ${isHeldBy(lease)}
    for update of devices`.execute(trx);
  return rows[0];
};

/** Until the transaction ends, nobody else makes or deletes a device of the account. */
export const lockDevicesOf = async (trx: Db, accountId: AccountId): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended('devices', hashtext(${accountId})))`.execute(trx);
};

/** How many it has, and how many were made within a day. */
export const countDevices = async (
  trx: Db,
  accountId: AccountId,
): Promise<{ has: number; today: number }> => {
  const { rows } = await sql<{ has: number; today: number }>`
    select count(*) filter (where deleted_at is null)::int as has,
      count(*) filter (where created_at > now() - interval '1 day')::int as today
    from devices where account_id = ${accountId}`.execute(trx);
  return rows[0] ?? { has: 0, today: 0 };
};

type NewDevice = Pick<
  DeviceRow,
  'id' | 'deviceId' | 'accountId' | 'laneId' | 'countryCode' | 'type' | 'phoneName'
>;

export const insertDevice = async (trx: Db, device: NewDevice): Promise<void> => {
  await sql`insert into devices (id, device_id, account_id, lane_id, country, type, phone_name)
    values (${device.id}, ${device.deviceId}, ${device.accountId}, ${device.laneId}, ${device.countryCode},
      ${device.type}, ${device.phoneName})`.execute(trx);
};

export const setWanted = async (
  trx: Db,
  { id, wanted, ended = null }: Pick<DeviceRow, 'id' | 'wanted'> & { ended?: DeviceEnd | null },
): Promise<void> => {
  await sql`update devices set wanted = ${wanted}, ended = ${ended}, pairing = null, changed_at = now()
    where id = ${id}`.execute(trx);
};

export const setPairByCode = async (trx: Db, id: string, phoneNumber: string): Promise<void> => {
  await sql`update devices set pair_by_code_of = ${phoneNumber}, pairing = null where id = ${id}`.execute(
    trx,
  );
};

export const setPort = async (trx: Db, id: string, port: string): Promise<void> => {
  await sql`update devices set port = ${port} where id = ${id}`.execute(trx);
};

export const setPairing = async (
  trx: Db,
  id: string,
  pairing: NonNullable<Device['pairing']>,
): Promise<void> => {
  await sql`update devices set pairing = ${JSON.stringify(pairing)}::jsonb where id = ${id}`.execute(trx);
};

/** A device with another number starts its warm-up again. */
export const setPaired = async (
  trx: Db,
  { id, phoneNumber, displayName }: Pick<DeviceRow, 'id' | 'phoneNumber' | 'displayName'>,
): Promise<void> => {
  await sql`update devices set pairing = null, phone_number = ${phoneNumber}, display_name = ${displayName},
      paired_at = case when phone_number = ${phoneNumber} then coalesce(paired_at, now()) else now() end
    where id = ${id}`.execute(trx);
};

/** It has to be paired again. */
export const unpair = async (trx: Db, id: string): Promise<void> => {
  await sql`update devices set paired_at = null where id = ${id}`.execute(trx);
};

export const setWarned = async (trx: Db, id: string, until: Date): Promise<void> => {
  await sql`update devices set warned_until = greatest(warned_until, ${until}) where id = ${id}`.execute(trx);
};

export const markDeleted = async (trx: Db, id: string, movedTo: DeviceId | null): Promise<void> => {
  await sql`update devices set deleted_at = now(), wanted = 'STOPPED', ended = null, pairing = null,
      display_name = '', phone_number = '', phone_name = device_id, pair_by_code_of = '', moved_to = ${movedTo}
    where id = ${id}`.execute(trx);
};

/** Those that were deleted lately: a worker may have put messages back, and a call may have been a moment late. */
export const listDeleted = async (db: Db, hours: number): Promise<DeviceRow[]> => {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from devices where deleted_at > now() - make_interval(hours => ${hours}) order by id`.execute(
    db,
  );
  return rows;
};

/** The device that has a deleted one's messages now: if that was deleted too, the one that they moved to from there. */
export const findSuccessor = async (
  db: Db,
  { accountId, movedTo }: { accountId: AccountId; movedTo: DeviceId },
): Promise<DeviceRow | undefined> => {
  const { rows } = await sql<DeviceRow>`
    with recursive later (name) as (
      select ${movedTo}::text
      union
      select d.moved_to from later join devices d on d.device_id = later.name and d.account_id = ${accountId}
      where d.deleted_at is not null and d.moved_to is not null
    )
    select ${columns} from devices where account_id = ${accountId} and deleted_at is null
      and device_id in (select name from later)`.execute(db);
  return rows[0];
};

/** Those of an account with these names or numbers. */
export const findNamed = async (
  db: Db,
  named: { accountId: AccountId; ids: readonly string[]; numbers: readonly string[] },
): Promise<DeviceRow[]> => {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from devices where account_id = ${named.accountId} and deleted_at is null
      and (device_id = any(${named.ids}::text[]) or (phone_number <> '' and phone_number = any(${named.numbers}::text[])))
    order by created_at`.execute(db);
  return rows;
};

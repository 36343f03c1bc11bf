import type { DeviceId } from '../../../contract/fleet/devices.ts';
import { DomainError } from '../../ground/domain-error.ts';
import type { Db } from '../../ground/postgres/index.ts';
import { wakeLanes } from '../../traffic/lanes/index.ts';
import { readDeviceLanes, setDeviceLane } from '../../traffic/lanes/table/index.ts';
import {
  cancelChunks,
  countWaitingFor,
  listWaitingIn,
  moveWaiting,
  type WaitingOfSender,
} from '../../traffic/outbox/index.ts';
import type { DeviceRow } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { lockOwn, type OwnDevice } from './move-device.ts';
import { removeDeviceSession } from './session-store.ts';
import { findSuccessor, listDeleted, lockDevicesOf, markDeleted } from './store.ts';

/** What becomes of the messages that wait in a deleted device. */
export interface WaitingChoice {
  waiting?: 'move' | 'cancel' | undefined;
  /** Where they move. */
  to?: DeviceId | undefined;
}

export interface Settled {
  moved: number;
  cancelled: number;
}

/** Messages of one transaction. */
const PORTION = 1_000;
/** Longer than any worker takes to put back what it had claimed, and any call to be accepted. */
const SWEPT_HOURS = 24;

type Left = Pick<DeviceRow, 'accountId' | 'laneId' | 'deviceId' | 'movedTo'>;

const moveTo = (db: Db, waiting: WaitingOfSender[], { laneId, deviceId }: DeviceRow): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const count = await moveWaiting(trx, { waiting, to: { laneId, sender: deviceId } });
    await wakeLanes(trx, [laneId]);
    return count;
  });

/** Moves or cancels what waits in a deleted device, until nothing does. May be repeated. */
const settleWaiting = async (db: Db, left: Left): Promise<Settled> => {
  const settled: Settled = { moved: 0, cancelled: 0 };
  const { accountId, laneId, deviceId: sender } = left;
  // If the last of those that they were to move to was deleted without a successor, nobody sends them any more.
  const to = left.movedTo ? await findSuccessor(db, { accountId, movedTo: left.movedTo }) : undefined;
  for (;;) {
    const waiting = await listWaitingIn(db, { accountId, laneId, sender, limit: PORTION });
    if (waiting.length === 0) return settled;
    if (to) {
      const moved = await moveTo(db, waiting, to);
      if (moved === 0) return settled;
      settled.moved += moved;
    } else {
      const ids = waiting.map(({ id }) => id);
      const chunkIds = [...new Set(waiting.map(({ chunkId }) => chunkId))];
      const { count } = await cancelChunks(db, {
        accountId,
        chunkIds,
        ids,
        code: 'E_DEVICE_DELETED',
        reason: '',
      });
      if (count === 0) return settled;
      settled.cancelled += count;
    }
  }
};

const remove = async (trx: Db, { id, laneId }: DeviceRow, movedTo: DeviceId | null): Promise<void> => {
  await markDeleted(trx, id, movedTo);
  // The session of a real one is kept for the moment in which it is logged out.
  const lane = (await readDeviceLanes(trx, [laneId])).get(laneId);
  if (lane?.simulated !== false) await removeDeviceSession(trx, id);
  await setDeviceLane(trx, laneId, { mode: 'removed' });
};

/** Messages that were paid with real money never go to a simulator, and others never to a real device. */
const requireTarget = async (
  trx: Db,
  device: DeviceRow,
  { waiting, to }: WaitingChoice,
): Promise<DeviceId | null> => {
  if (waiting !== 'move') return null;
  if (to === device.deviceId || to === undefined)
    throw new DomainError('E_DEVICE_TARGET', { device: to ?? '' });
  const target = await lockOwn(trx, { accountId: device.accountId, deviceId: to });
  const lanes = await readDeviceLanes(trx, [device.laneId, target.laneId]);
  if (lanes.get(device.laneId)?.simulated !== lanes.get(target.laneId)?.simulated)
    throw new DomainError('E_DEVICE_TARGET', { device: to });
  return to;
};

/**
 * Deletes a device. While messages wait in it, it has to be said what becomes of them; what its worker puts back later
 * is treated the same way. What was handed over keeps its outcome.
 */
export const deleteDevice = async (
  { db }: Pick<DevicesDeps, 'db'>,
  own: OwnDevice,
  what: WaitingChoice,
): Promise<Settled> => {
  const left = await db.transaction().execute(async (trx) => {
    // Locks the account's devices: two deletions that move messages to each other's device would deadlock.
    await lockDevicesOf(trx, own.accountId);
    const device = await lockOwn(trx, own);
    const { accountId, laneId, deviceId } = device;
    const waiting = await countWaitingFor(trx, { accountId, laneId, sender: deviceId });
    if (waiting > 0 && !what.waiting) throw new DomainError('E_DEVICE_WAITING', { count: waiting });
    const movedTo = await requireTarget(trx, device, what);
    await remove(trx, device, movedTo);
    return { ...device, movedTo };
  });
  return settleWaiting(db, left);
};

/** What came to wait in a device after it was deleted. */
export const sweepDeleted = async (db: Db): Promise<void> => {
  for (const left of await listDeleted(db, SWEPT_HOURS)) await settleWaiting(db, left);
};

/** Devices of an account that is being closed: its messages are cancelled by others. */
export const deleteAll = async (trx: Db, devices: DeviceRow[]): Promise<void> => {
  for (const device of devices) await remove(trx, device, null);
};

import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../ground/postgres/index.ts';
import { openSealed } from '../../ground/sealing/index.ts';
import type { Carrier } from '../../traffic/lanes/index.ts';
import { readDeviceLanes } from '../../traffic/lanes/table/index.ts';
import type { DevicesDeps } from './devices-deps.ts';
import type { DeviceCarrier, DeviceDriver } from './driver.ts';
import {
  type LeftSession,
  listLeftSessions,
  removeDeviceSession,
  sessionOwner,
  takeSession,
} from './session-store.ts';
import { findDeviceOfLane } from './store.ts';

/** Of the time that a carrier has to close. */
const SHARE = 0.6;

/**
 * A device that was deleted while this worker had it is logged out before it is closed, so that its phone lists it no
 * longer. Whatever comes of that, it is closed.
 */
export const loggingOut = (
  db: Db,
  { id, laneId }: { id: string; laneId: number },
  { carrier, logOut }: { carrier: Carrier; logOut: NonNullable<DeviceCarrier['logOut']> },
): Carrier => ({
  ...carrier,
  close: async (timeoutMs) => {
    const deadline = Date.now() + timeoutMs;
    try {
      const isDeleted = (await findDeviceOfLane(db, laneId)) === undefined;
      if (isDeleted && (await logOut(timeoutMs * SHARE))) await removeDeviceSession(db, id);
    } finally {
      await carrier.close(Math.max(0, deadline - Date.now()));
    }
  },
});

/** A browser each: one after the other, and not many in a run. */
const MOST_A_RUN = 5;
const MOST_LISTED = 1_000;
/** After this a session is removed, even if no worker has the driver that could log it out. */
const KEPT_MINUTES = 60;
const CONNECT_MS = 60_000;
const LOG_OUT_MS = 10_000;
const CLOSE_MS = 5_000;

/** Opens the device once more, only to log it out. */
const logOutOnce = async (driver: DeviceDriver, left: LeftSession, session: Buffer): Promise<void> => {
  const { promise: settled, resolve: settle } = Promise.withResolvers<boolean>();
  const { deviceId, countryCode } = left;
  const carrier = driver.carrier({
    device: { deviceId, phoneName: deviceId, countryCode, phoneNumber: '', pairByCodeOf: '' },
    session: { read: async () => session, write: async () => {} },
    events: {
      driven: async () => {},
      pairing: async () => {},
      paired: async () => {},
      warned: async () => {},
      ended: async () => settle(false),
    },
    keepFile: async () => '',
    isTransient: () => false,
  });
  if (!carrier.logOut) return;
  try {
    await carrier.open({
      receipt: async () => {},
      inbound: async () => {},
      state: ({ up }) => up && settle(true),
    });
    const isUp = await Promise.race([settled, sleep(CONNECT_MS, false, { ref: false })]);
    if (isUp) await carrier.logOut(LOG_OUT_MS);
  } finally {
    await carrier.close(CLOSE_MS);
  }
};

/**
 * Deleted devices that no worker had, such as stopped ones, or whose worker could not log them out. Each is tried once:
 * its session is removed before.
 */
export const logOutDeleted = async ({ db, secretKey: key, drivers }: DevicesDeps): Promise<void> => {
  const left = await listLeftSessions(db, { minutes: KEPT_MINUTES, limit: MOST_LISTED });
  const lanes = await readDeviceLanes(
    db,
    left.map(({ laneId }) => laneId),
  );
  let tries = 0;
  for (const one of left) {
    const lane = lanes.get(one.laneId);
    const driver = drivers.find(({ name }) => name === lane?.provider);
    if (one.isOld) await removeDeviceSession(db, one.id);
    else if (driver && !lane?.held && tries < MOST_A_RUN) {
      tries += 1;
      const sealed = await takeSession(db, one.id);
      const owner = sessionOwner(one);
      if (sealed) await logOutOnce(driver, one, Buffer.from(openSealed({ key, owner, sealed }), 'base64'));
    }
  }
};

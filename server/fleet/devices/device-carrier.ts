import { type Db, isConnectionError, isWriteConflict, newId } from '../../ground/postgres/index.ts';
import { senderKey } from '../../ground/recipients/index.ts';
import { openSealed, seal } from '../../ground/sealing/index.ts';
import type { Carrier, Lease, ServableLane } from '../../traffic/lanes/index.ts';
import { findLease, hasMet, setDeviceLane, setDeviceNumber } from '../../traffic/lanes/table/index.ts';
import type { DeviceRow } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { type DeviceEvents, type DeviceSession, MOST_SESSION_BYTES, type ReceivedFile } from './driver.ts';
import { insertFile } from './file-store.ts';
import { governedCarrier } from './governed-carrier.ts';
import { type GovernorFacts, timeZoneOf } from './governor.ts';
import { giveBackToBudget, readLastDays, takeOfBudget } from './governor-store.ts';
import { loggingOut } from './log-out.ts';
import { findDeviceSession, removeDeviceSession, sessionOwner, storeSession } from './session-store.ts';
import {
  findDeviceOfLane,
  lockHeldDevice,
  setPaired,
  setPairing,
  setPort,
  setWanted,
  setWarned,
  unpair,
} from './store.ts';

/** The largest file that a device passes on. */
const MOST_FILE_BYTES = 64 * 1024 * 1024;

const sessionOf = ({ db, secretKey: key }: DevicesDeps, device: DeviceRow, lease: Lease): DeviceSession => ({
  read: async () => {
    const sealed = await findDeviceSession(db, device.id);
    return sealed && Buffer.from(openSealed({ key, owner: sessionOwner(device), sealed }), 'base64');
  },
  write: async (bytes) => {
    if (bytes.length > MOST_SESSION_BYTES) throw new Error(`a session of ${bytes.length} bytes is too large`);
    const sealed = seal({ key, owner: sessionOwner(device), text: bytes.toString('base64') });
    if (!(await storeSession(db, { id: device.id, sealed, lease })))
      throw new Error('another worker has the device');
  },
});

interface Heard {
  device: DeviceRow;
  lease: Lease;
  facts: GovernorFacts;
}

/** What a worker hears counts for as long as it has the device: after that another one knows better. */
const eventsOf = ({ db, policy }: DevicesDeps, { device, lease, facts }: Heard): DeviceEvents => {
  const whileHeld = (change: (trx: Db, device: DeviceRow) => Promise<void>): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const held = await lockHeldDevice(trx, { id: device.id, lease });
      if (held) await change(trx, held);
    });
  return {
    pairing: (pairing) =>
      whileHeld((trx) =>
        setPairing(trx, device.id, { ...pairing, expiresAt: pairing.expiresAt.toISOString() }),
      ),
    driven: (port) => whileHeld((trx) => setPort(trx, device.id, port)),
    paired: ({ phoneNumber, displayName = '' }) =>
      whileHeld(async (trx, { phoneNumber: before, pairedAt }) => {
        const number = senderKey(phoneNumber);
        if (before !== number || pairedAt === null) facts.pairedMs = Date.now();
        const shown = displayName.replaceAll('\0', '').slice(0, 100);
        await setPaired(trx, { id: device.id, phoneNumber: number, displayName: shown });
        await setDeviceNumber(trx, lease.laneId, number);
      }),
    warned: ({ until = new Date(Date.now() + policy.warnedMs) }) => {
      // At once: the next message must not go out while this is being stored.
      facts.warnedUntilMs = Math.max(facts.warnedUntilMs ?? 0, until.getTime());
      return whileHeld((trx) => setWarned(trx, device.id, until));
    },
    ended: (why) =>
      whileHeld(async (trx, { wanted }) => {
        if (why !== 'PAIRING_UNUSED') {
          await removeDeviceSession(trx, device.id);
          await unpair(trx, device.id);
        }
        // What its owner stopped stays as it was stopped.
        if (wanted === 'STOPPED') return;
        await setWanted(trx, { id: device.id, wanted: 'STOPPED', ended: why });
        await setDeviceLane(trx, lease.laneId, { mode: 'paused' });
      }),
  };
};

const keepFileOf =
  ({ db }: DevicesDeps, device: DeviceRow) =>
  async ({ bytes, mimeType }: ReceivedFile): Promise<string> => {
    if (bytes.length > MOST_FILE_BYTES) throw new Error(`a file of ${bytes.length} bytes is too large`);
    const id = newId();
    await insertFile(db, { id, deviceId: device.id, bytes, mimeType });
    return id;
  };

/** Insufficient resources, such as a full disk. */
const isFull = (error: unknown): boolean =>
  String((error as { code?: unknown } | null)?.code).startsWith('53');

const factsOf = async ({ db }: DevicesDeps, device: DeviceRow): Promise<GovernorFacts> => {
  const { day = '', sent = 0, newContacts = 0 } = (await readLastDays(db, [device.id])).get(device.id) ?? {};
  return {
    timeZone: timeZoneOf(device.countryCode),
    pairedMs: (device.pairedAt ?? new Date()).getTime(),
    day,
    sent,
    newContacts,
    // Whatever another worker sent last: the pause counts from now.
    lastMs: Date.now(),
    draw: Math.random(),
    warnedUntilMs: device.warnedUntil?.getTime() ?? null,
  };
};

/** The carrier of a device's lane: its driver's, behind the governor. Undefined if this worker has no such driver. */
export const openDeviceCarrier = async (
  deps: DevicesDeps,
  lane: Pick<ServableLane, 'id' | 'provider'>,
): Promise<(() => Carrier) | undefined> => {
  const { db, drivers, policy } = deps;
  const device = await findDeviceOfLane(db, lane.id);
  const lease = await findLease(db, lane.id);
  const driver = drivers.find(({ name }) => name === lane.provider);
  if (!device || !lease || !driver) return undefined;
  const facts = await factsOf(deps, device);
  const { deviceId, phoneName, countryCode, phoneNumber, pairByCodeOf, pairedAt } = device;
  return () => {
    const carrier = driver.carrier({
      device: { deviceId, phoneName, countryCode, phoneNumber: pairedAt ? phoneNumber : '', pairByCodeOf },
      session: sessionOf(deps, device, lease),
      events: eventsOf(deps, { device, lease, facts }),
      keepFile: keepFileOf(deps, device),
      isTransient: (error) => isConnectionError(error) || isWriteConflict(error) || isFull(error),
    });
    const { logOut } = carrier;
    const kept = logOut ? loggingOut(db, device, { carrier, logOut }) : carrier;
    if (!driver.isGoverned(device)) return kept;
    return governedCarrier(kept, {
      policy,
      facts,
      isNew: async (recipient) => !(await hasMet(db, { laneId: lane.id, recipient })),
      take: (of) => takeOfBudget(db, { id: device.id, ...of }),
      giveBack: (of) => giveBackToBudget(db, { id: device.id, ...of }),
    });
  };
};

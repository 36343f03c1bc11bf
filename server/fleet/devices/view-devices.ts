import type { AccountId } from '../../../contract/customer/accounts.ts';
import type { Device } from '../../../contract/fleet/devices.ts';
import { type DeviceLaneState, readDeviceLanes } from '../../traffic/lanes/table/index.ts';
import { countWaitingIn } from '../../traffic/outbox/index.ts';
import { canDo, type DeviceRow, type DeviceState, deviceState } from './device.ts';
import type { DevicesDeps } from './devices-deps.ts';
import { budgetOf, type GovernorFacts, judgeSend, timeZoneOf, todayOf } from './governor.ts';
import { readLastDays } from './governor-store.ts';

const MOST_COUNTED = 10_000;

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

type LastDay = Pick<GovernorFacts, 'day' | 'sent' | 'newContacts'>;

/** What the governor says of it now, by the same function that its worker asks. */
const governedOf = (
  { drivers, policy }: Pick<DevicesDeps, 'drivers' | 'policy'>,
  device: DeviceRow,
  { provider, last, nowMs }: { provider: string; last: LastDay | undefined; nowMs: number },
): Pick<Device, 'hold' | 'today'> => {
  const driver = drivers.find(({ name }) => name === provider);
  if (!driver?.isGoverned(device) || device.pairedAt === null) return { hold: null, today: null };
  const facts: GovernorFacts = {
    timeZone: timeZoneOf(device.countryCode),
    pairedMs: device.pairedAt.getTime(),
    ...(last ?? { day: '', sent: 0, newContacts: 0 }),
    lastMs: null,
    draw: 0,
    warnedUntilMs: device.warnedUntil?.getTime() ?? null,
  };
  // Who is held only because they are new is told of after what holds everybody.
  const hold =
    judgeSend(policy, facts, { nowMs, isNew: false }) ?? judgeSend(policy, facts, { nowMs, isNew: true });
  const { warmUpDay, ...most } = budgetOf(policy, facts, nowMs);
  return {
    hold:
      hold && hold.code !== 'PACE' ? { code: hold.code, until: new Date(hold.untilMs).toISOString() } : null,
    today: { ...todayOf(facts, nowMs), ...most, warmUpDay },
  };
};

interface Around {
  lane: DeviceLaneState;
  waiting: number;
  last: LastDay | undefined;
  email: string | undefined;
  reader: AccountId;
  /** Somebody looks at the account in its owner's place. */
  viewing: boolean;
}

const reasonAt = ({ status }: DeviceState, { changedAt }: DeviceRow): string | null =>
  status === 'RUNNING' ? null : iso(changedAt);

const viewDevice = (
  deps: Pick<DevicesDeps, 'drivers' | 'policy'>,
  device: DeviceRow,
  { lane, waiting, last, email, reader, viewing }: Around,
): Device => {
  const state = deviceState(device, lane);
  const { phoneNumber, phoneName, displayName } = device;
  const me = device.accountId === reader;
  const { hold, today } = governedOf(deps, device, { provider: lane.provider, last, nowMs: Date.now() });
  return {
    _id: device.id,
    deviceId: device.deviceId,
    accountId: device.accountId,
    ...state,
    reasonAt: reasonAt(state, device),
    type: device.type,
    countryCode: device.countryCode,
    phoneNumber,
    phoneName,
    createdAt: device.createdAt.toISOString(),
    host: lane.worker,
    port: lane.held ? device.port : '',
    queue: device.deviceId,
    ...(displayName && { display: { phoneName: displayName } }),
    ...(email !== undefined && { email }),
    wanted: device.wanted,
    // Whoever scans it has the device: not for admins who look at the account in its owner's place.
    pairing: me && !viewing && state.reason === 'PAIRING' ? device.pairing : null,
    pairedAt: iso(device.pairedAt),
    waiting,
    hold: state.status === 'RUNNING' ? hold : null,
    today,
    simulated: lane.simulated,
    me,
    canStart: canDo(state, 'start', device),
    canStop: canDo(state, 'stop', device),
    canSend: state.status === 'RUNNING',
  };
};

/** As the reader sees them; with the email of each account if they are of all accounts. */
export const viewDevices = async (
  deps: DevicesDeps,
  devices: DeviceRow[],
  { reader, all, viewing }: Pick<Around, 'reader' | 'viewing'> & { all: boolean },
): Promise<Device[]> => {
  const { db, emailsOf } = deps;
  const laneIds = devices.map(({ laneId }) => laneId);
  const [lanes, waiting, days, emails] = await Promise.all([
    readDeviceLanes(db, laneIds),
    countWaitingIn(db, laneIds, MOST_COUNTED, { suspended: true }),
    readLastDays(
      db,
      devices.map(({ id }) => id),
    ),
    all ? emailsOf([...new Set(devices.map(({ accountId }) => accountId))]) : undefined,
  ]);
  return devices.flatMap((device) => {
    const lane = lanes.get(device.laneId);
    if (!lane) return [];
    const email = emails ? (emails.get(device.accountId) ?? '') : undefined;
    return [
      viewDevice(deps, device, {
        lane,
        waiting: waiting.get(device.laneId) ?? 0,
        last: days.get(device.id),
        email,
        reader,
        viewing,
      }),
    ];
  });
};

import type { DEVICE_REASONS, DEVICE_STATUSES } from '../../contract/fleet/devices.ts';
import type { PhoneFlag, PhoneHealth, PhoneThrottle } from '../../contract/fleet/phone-rules.ts';
import type { LANE_MODES, LANE_SOURCES } from '../../contract/traffic/lanes.ts';
import type { WRITES } from './writes.ts';

type Code = `E_${string}`;

type LaneMode = (typeof LANE_MODES)[number];
export type LaneState = `of ${(typeof LANE_SOURCES)[number]}, ${LaneMode}`;
type LaneRow = Record<(typeof WRITES)['lane'][number], Code | 'done' | LaneMode>;

/** The mode is asked to be 'paused'. */
const OWN: LaneRow = {
  'PUT /admin/lanes/:laneId': 'done',
  'POST /admin/lanes/:laneId/mode': 'paused',
  'DELETE /admin/lanes/:laneId': 'removed',
  'POST /admin/lanes/:laneId/test': 'E_LANE_NOT_ON',
};
const PAUSED = { 'POST /admin/lanes/:laneId/mode': 'done' } as const;
/** The worker that names it would bring it back. */
const OF_SETTINGS: LaneRow = { ...OWN, 'DELETE /admin/lanes/:laneId': 'E_LANE_OF_SETTINGS' };
/** It follows its phone, or its device. */
const following = (code: Code, test: Code | 'done'): LaneRow => ({
  'PUT /admin/lanes/:laneId': code,
  'POST /admin/lanes/:laneId/mode': code,
  'DELETE /admin/lanes/:laneId': code,
  'POST /admin/lanes/:laneId/test': test,
});
/** A customer's own number is not the operator's to send from. */
const OF_DEVICE = following('E_LANE_OF_DEVICE', 'E_NOT_FOUND');
const GONE: LaneRow = {
  'PUT /admin/lanes/:laneId': 'E_NOT_FOUND',
  'POST /admin/lanes/:laneId/mode': 'E_NOT_FOUND',
  'DELETE /admin/lanes/:laneId': 'E_NOT_FOUND',
  'POST /admin/lanes/:laneId/test': 'E_NOT_FOUND',
};
const ON = { 'POST /admin/lanes/:laneId/test': 'done' } as const;

export const LANE_TABLE: Record<LaneState, LaneRow> = {
  'of settings, on': { ...OF_SETTINGS, ...ON },
  'of settings, paused': { ...OF_SETTINGS, ...PAUSED },
  'of settings, draining': OF_SETTINGS,
  'of settings, removed': GONE,
  'of admin, on': { ...OWN, ...ON },
  'of admin, paused': { ...OWN, ...PAUSED },
  'of admin, draining': OWN,
  'of admin, removed': GONE,
  'of device, on': OF_DEVICE,
  'of device, paused': OF_DEVICE,
  'of device, draining': OF_DEVICE,
  'of device, removed': GONE,
  'of phone, on': following('E_LANE_OF_PHONE', 'done'),
  'of phone, paused': following('E_LANE_OF_PHONE', 'E_LANE_NOT_ON'),
  'of phone, draining': following('E_LANE_OF_PHONE', 'E_LANE_NOT_ON'),
  'of phone, removed': GONE,
};

/** What the contract's own lists do not tell apart. */
export const OTHER_PHONE_STATES = ['not heard of yet', 'released', 'its SIM may have moved'] as const;
/** Of its SMS. A flag says that it has this way out alone, or besides SMS that this one is suspended. */
export type PhoneState =
  | PhoneHealth
  | `flagged ${PhoneFlag}`
  | `no room in ${PhoneThrottle}`
  | (typeof OTHER_PHONE_STATES)[number];
type PhoneRow = Record<
  (typeof WRITES)['phone'][number] | 'POST /job/:jobId/transfer',
  Code | 'done' | 'moves'
>;

/** An SMS is transferred by the phone's name: an admin may choose one that is DOWN, and not one that can never send. */
const TAKES: PhoneRow = {
  'PUT /phoneNumberInventory/:phoneId': 'done',
  'POST /job/:jobId/transfer': 'moves',
  'POST /admin/agents/:agentId/movedSim': 'E_NOT_FOUND',
};
const TAKES_NONE: PhoneRow = { ...TAKES, 'POST /job/:jobId/transfer': 'E_NOT_TRANSFERRED' };
export const PHONE_TABLE: Record<PhoneState, PhoneRow> = {
  UP: TAKES,
  DOWN: TAKES,
  unknown: TAKES_NONE,
  'flagged smsActive': TAKES,
  'flagged smsSuspended': TAKES_NONE,
  'flagged smsWebActive': TAKES,
  'flagged smsWebSuspended': TAKES,
  'flagged whatsappActive': TAKES_NONE,
  'flagged whatsappSuspended': TAKES,
  'no room in countTenMinute': TAKES_NONE,
  'no room in countOneHour': TAKES_NONE,
  'no room in countEightHour': TAKES_NONE,
  'no room in countOneDay': TAKES_NONE,
  'not heard of yet': TAKES,
  released: TAKES_NONE,
  // What is queued for it stays, and an operator says that it has.
  'its SIM may have moved': { ...TAKES, 'POST /admin/agents/:agentId/movedSim': 'done' },
};

type DeviceState = Exclude<(typeof DEVICE_STATUSES)[number], 'PENDING'> | (typeof DEVICE_REASONS)[number];
type DeviceRow = Record<(typeof WRITES)['device'][number], Code | 'done'>;

/** On its way to RUNNING; not paired yet. */
const STARTS: DeviceRow = {
  'POST /devices/:deviceId/start': 'E_DEVICE_PENDING',
  'POST /devices/:deviceId/stop': 'done',
  'POST /devices/:deviceId/pairingCode': 'done',
  'DELETE /devices/:deviceId': 'done',
};
const PAIRED = { 'POST /devices/:deviceId/pairingCode': 'E_DEVICE_PAIRED' } as const;
const STOPPED: DeviceRow = {
  ...STARTS,
  'POST /devices/:deviceId/start': 'done',
  'POST /devices/:deviceId/stop': 'E_DEVICE_STOPPED',
};
export const DEVICE_TABLE: Record<DeviceState, DeviceRow> = {
  RUNNING: { ...STARTS, ...PAIRED, 'POST /devices/:deviceId/start': 'E_DEVICE_RUNNING' },
  STOPPED: { ...STOPPED, ...PAIRED },
  STARTING: STARTS,
  NO_PLACE: STARTS,
  PAIRING: STARTS,
  DROPPED: { ...STARTS, ...PAIRED },
  STOPPING: {
    ...STARTS,
    'POST /devices/:deviceId/start': 'E_DEVICE_STOPPING',
    'POST /devices/:deviceId/stop': 'E_DEVICE_STOPPING',
    'POST /devices/:deviceId/pairingCode': 'E_DEVICE_STOPPING',
  },
  PAIRING_UNUSED: STOPPED,
  LOGGED_OUT: STOPPED,
  PHONE_LOST: STOPPED,
  BANNED: {
    ...STOPPED,
    'POST /devices/:deviceId/start': 'E_DEVICE_BANNED',
    'POST /devices/:deviceId/pairingCode': 'E_DEVICE_BANNED',
  },
};

import type { Reply } from '../../../../contract/calls.ts';
import type { Device } from '../../../../contract/fleet/devices.ts';
import type { MessageHistory, PassedLane } from '../details/timeline-store.ts';

type Waiting = Reply<'GET /messages/:messageId/timeline'>['waiting'];

/** Of its device, if it is for one. */
export type HeldDevice = Pick<Device, 'status' | 'hold'>;

const NEW_CONTACTS = 'DEVICE_NEW_CONTACTS';

/** What a message waits for; null once it has ended. */
export const waitingOf = (
  { status, unknownSince, laneId, scheduledAt, isClaimed, notBefore, tries }: MessageHistory,
  { lane, device }: { lane: PassedLane | undefined; device: HeldDevice | undefined },
  now: Date,
): Waiting => {
  if (status !== 'PENDING') return null;
  if (unknownSince) return { why: 'UNKNOWN', until: null };
  if (laneId === null)
    return scheduledAt && scheduledAt > now
      ? { why: 'SCHEDULED', until: scheduledAt.toISOString() }
      : { why: 'QUEUED', until: null };
  if (isClaimed) return { why: 'IN_HAND', until: null };
  if (device && device.status !== 'RUNNING') return { why: `DEVICE_${device.status}`, until: null };
  if (device?.hold && device.hold.code !== 'NEW_CONTACTS')
    return { why: `DEVICE_${device.hold.code}`, until: device.hold.until };
  if (tries?.at(-1)?.code === NEW_CONTACTS && notBefore && notBefore > now)
    return { why: NEW_CONTACTS, until: notBefore.toISOString() };
  if (lane && !lane.usable) return { why: 'LANE_DOWN', until: null };
  if (tries && notBefore && notBefore > now) return { why: 'PUT_OFF', until: notBefore.toISOString() };
  return { why: 'QUEUED', until: null };
};

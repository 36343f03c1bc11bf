import type { Reply } from '../../contract/calls.ts';
import type { MessageHistory, PassedLane } from './timeline-store.ts';

type Waiting = Reply<'GET /messages/:messageId/timeline'>['waiting'];

/** What a message waits for; null once it has ended. */
export const waitingOf = (
  { status, unknownSince, laneId, scheduledAt, isClaimed, notBefore, tries }: MessageHistory,
  lane: PassedLane | undefined,
  now: Date,
): Waiting => {
  if (status !== 'PENDING') return null;
  if (unknownSince) return { why: 'UNKNOWN', until: null };
  if (laneId === null)
    return scheduledAt && scheduledAt > now
      ? { why: 'SCHEDULED', until: scheduledAt.toISOString() }
      : { why: 'QUEUED', until: null };
  if (isClaimed) return { why: 'IN_HAND', until: null };
  if (lane && !lane.usable) return { why: 'LANE_DOWN', until: null };
  if (tries && notBefore && notBefore > now) return { why: 'PUT_OFF', until: notBefore.toISOString() };
  return { why: 'QUEUED', until: null };
};

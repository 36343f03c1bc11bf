import { randomUUID } from 'node:crypto';
import {
  type Lease,
  type MinuteSends,
  noteSends,
  readLaneSends,
  type ServableLane,
  takeLeases,
} from '../lanes/index.ts';
import { markUnknown } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** A lane that this worker has taken and does not serve yet. */
export interface FreshLane extends Lease {
  lane: ServableLane;
  /** What it sent in the last day, if that is counted. */
  sends: MinuteSends[];
}

/** What it sends is counted: it has limits, or is a phone. */
export const isThrottled = ({ throttle, phoneId }: ServableLane): boolean =>
  phoneId !== null || Object.values(throttle).some((limit) => limit !== null);

/** Takes the leases of these lanes as far as they are free, and marks what their former holders left as unknown. */
export const takeLanes = async (
  { db, log }: Pick<DeliveryDeps, 'db' | 'log'>,
  workerId: string,
  lanes: ServableLane[],
): Promise<FreshLane[]> => {
  const known = new Map(lanes.map((lane) => [lane.id, lane]));
  const wanted = lanes.map(({ id }) => ({ laneId: id, holder: randomUUID() }));
  const taken = await takeLeases(db, workerId, wanted);
  if (taken.length === 0) return [];
  const unknown = await markUnknown(db, taken);
  for (const { laneId, count } of unknown)
    log.warn(
      { lane: known.get(laneId)?.name, unknown: count },
      'messages of a worker that ended are unknown',
    );
  const throttled = lanes.filter(isThrottled).map(({ id }) => id);
  // What is unknown may have been sent, and counts as if it had been.
  await noteSends(
    db,
    unknown
      .filter(({ laneId }) => throttled.includes(laneId))
      .map(({ laneId, count }) => ({ laneId, at: Date.now(), sent: count })),
  );
  const sends = throttled.length > 0 ? await readLaneSends(db, throttled) : new Map<number, MinuteSends[]>();
  return taken.map(({ laneId, holder }) => ({
    laneId,
    holder,
    lane: known.get(laneId) as ServableLane,
    sends: sends.get(laneId) ?? [],
  }));
};

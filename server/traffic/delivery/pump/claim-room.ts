import type { Claimed } from '../../outbox/index.ts';
import type { Pace } from './lane-pace.ts';
import { countUrgent } from './ready-messages.ts';

/** What a lane carries at a moment, which decides how many more messages may be claimed. */
export interface Load {
  pace: Pick<Pace, 'claimSize' | 'mostClaimed' | 'mostUrgent'>;
  /** Claimed and not handed over, in the order of sending. */
  ready: Claimed[];
  /** How many may be in flight. */
  window: number;
  busyLanes: number;
  /** How many the throttle lets out. */
  throttleRoom: number;
}

/** The throttle lets out those first that are claimed. */
const leftBy = (throttleRoom: number, claimed: number): number => Math.max(0, throttleRoom - claimed);

export const claimSize = ({ pace, ready, window, busyLanes, throttleRoom }: Load): number =>
  Math.min(pace.claimSize(window, busyLanes), leftBy(throttleRoom, ready.length));

/** Whether another claim may follow. */
export const isLow = (load: Load): boolean => {
  const { pace, ready, window, busyLanes } = load;
  const size = claimSize(load);
  return size > 0 && ready.length + size <= pace.mostClaimed(window, busyLanes);
};

/** How many more singles may be claimed. */
export const urgentRoom = ({ pace, ready, window, busyLanes, throttleRoom }: Load): number => {
  const urgent = countUrgent(ready);
  return Math.min(pace.mostUrgent(window, busyLanes) - urgent, leftBy(throttleRoom, urgent));
};

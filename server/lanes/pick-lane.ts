import type { Channel } from '../../contract/messages.ts';
import { DomainError } from '../domain-error.ts';
import type { LaneInUse } from './store.ts';

/**
 * The preferred lane of the channel that is not known to be down; if all are, the preferred one: its messages wait
 * until it is up again. A simulator serves the test secret, and everyone if nothing real is configured; otherwise it is
 * never chosen instead of a real lane.
 */
export const pickLane = (
  lanes: LaneInUse[],
  { channel, test }: { channel: Channel; test: boolean },
): LaneInUse => {
  const ofChannel = lanes.filter((lane) => lane.channel === channel && lane.mode === 'on');
  const real = ofChannel.filter(({ simulated }) => !simulated);
  const onlySimulators = lanes.every(({ simulated }) => simulated);
  const fitting = test || onlySimulators ? ofChannel.filter(({ simulated }) => simulated) : real;
  const lane = fitting.find(({ up }) => up !== false) ?? fitting[0];
  if (!lane) throw new DomainError('E_NO_LANE', { channel });
  return lane;
};

import type { Lane } from '../lanes/index.ts';
import { LANES_CHANNEL, readNotice } from '../lanes/index.ts';
import { type PublishEvents, publishNothing } from '../outbox/index.ts';
import { listenTo } from '../postgres/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { runFailover } from './run-failover.ts';
import { serveLane } from './serve-lane.ts';
import { TIMING, type Timing } from './timing.ts';

interface DeliveryOptions extends Omit<DeliveryDeps, 'timing' | 'publish' | 'hasSubscriber'> {
  url: string;
  lanes: Lane[];
  timing?: Partial<Timing>;
  publish?: PublishEvents;
  hasSubscriber?: DeliveryDeps['hasSubscriber'];
}

export interface Delivery {
  stop: (timeoutMs: number) => Promise<void>;
}

/** Serves the lanes in this process; any number of processes may do so concurrently. */
export const runDelivery = ({
  db,
  log,
  url,
  lanes,
  timing,
  onInbound,
  publish = publishNothing,
  hasSubscriber = () => publish !== publishNothing,
}: DeliveryOptions): Delivery => {
  const deps = { db, log, onInbound, timing: { ...TIMING, ...timing }, publish, hasSubscriber };
  const served = new Map(lanes.map((lane) => [String(lane.id), serveLane(deps, lane)]));
  const listener = listenTo({
    url,
    channel: LANES_CHANNEL,
    onNotice: (notice) => {
      const { laneId, singles } = readNotice(notice);
      served.get(laneId)?.wake(singles);
    },
    onReady: () => {
      for (const { wake } of served.values()) wake(false);
    },
    onError: (error) => log.warn({ err: error }, 'the lanes hear no notices for a moment'),
  });
  const failover = runFailover(deps);
  return {
    stop: async (timeoutMs) => {
      await failover.stop();
      await listener.close();
      await Promise.all([...served.values()].map(({ stop }) => stop(timeoutMs)));
    },
  };
};

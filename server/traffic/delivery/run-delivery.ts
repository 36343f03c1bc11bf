import { listenTo } from '../../ground/postgres/index.ts';
import type { Carrier, Lane, ServableLane, Waking, Worker } from '../lanes/index.ts';
import { LANES_CHANNEL, readLaneNotice } from '../lanes/index.ts';
import { noSubscribers } from '../outbox/index.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import { type HostOptions, hostLanes } from './lane-host.ts';
import { runFailover } from './run-failover.ts';
import { DELIVERY_TIMING, type DeliveryTiming } from './timing.ts';

interface DeliveryOptions extends Omit<DeliveryDeps, 'timing' | 'publisher'> {
  url: string;
  worker: Worker;
  /** Those of this worker's settings. */
  lanes: Lane[];
  /** Makes the carriers of lanes that settings don't describe. */
  openCarrier?: HostOptions['openCarrier'];
  journals?: HostOptions['journals'];
  /** For those who accept messages in this process. */
  waking?: Pick<Waking, 'serve'>;
  timing?: Partial<DeliveryTiming>;
  publisher?: DeliveryDeps['publisher'];
}

export interface Delivery {
  stop: (timeoutMs: number) => Promise<void>;
}

/** Serves lanes in this process; any number of processes may do so concurrently. */
export const runDelivery = ({
  db,
  log,
  url,
  worker,
  lanes,
  openCarrier = () => undefined,
  journals,
  waking,
  timing,
  onInbound,
  publisher = noSubscribers,
}: DeliveryOptions): Delivery => {
  const deps = { db, log, onInbound, timing: { ...DELIVERY_TIMING, ...timing }, publisher };
  const bySettings = new Map<number, () => Carrier>(lanes.map(({ id, carrier }) => [id, carrier]));
  const host = hostLanes(deps, {
    worker,
    laneIds: lanes.map(({ id }) => id),
    journals,
    openCarrier: (lane: ServableLane) =>
      lane.source === 'settings' ? bySettings.get(lane.id) : openCarrier(lane),
  });
  const listener = listenTo({
    url,
    channel: LANES_CHANNEL,
    onNotice: (text) => {
      const notice = readLaneNotice(text);
      if (notice.changed) host.changed();
      else host.wake(notice.laneId, notice.singles);
    },
    onReady: () => {
      host.changed();
      host.wakeAll();
    },
    onError: (error) => log.warn({ err: error }, 'the lanes hear no notices for a moment'),
  });
  const endWaking = waking?.serve((laneId) => host.wake(laneId, true));
  const failover = runFailover(deps);
  return {
    stop: async (timeoutMs) => {
      endWaking?.();
      await failover.stop();
      await listener.close();
      await host.stop(timeoutMs);
    },
  };
};

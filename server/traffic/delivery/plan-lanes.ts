import type { ServableLane } from '../lanes/index.ts';

/** A lane that this worker holds. */
interface Held {
  revision: number;
  /** Milliseconds. */
  since: number;
}

interface Situation {
  workerId: string;
  /** The lanes that this worker can reach. */
  lanes: ServableLane[];
  held: ReadonlyMap<number, Held>;
  /** Since when each lane was seen without a holder. */
  freeSince: ReadonlyMap<number, number>;
  /** Lanes that could not be served lately, and when to try again. */
  retryAt: ReadonlyMap<number, number>;
  now: number;
  /** A lane that is free for this long is taken even by a worker that has its share. */
  orphanMs: number;
  /** A lane is held at least this long before it is handed to a worker that has fewer. */
  leastHoldMs: number;
}

interface Plan {
  take: number[];
  /** Removed, paused or changed, or out of reach now. */
  stop: number[];
  /** More than this worker's share. */
  handOver: number[];
}

/** Which lanes a worker takes and gives back, so that each has its share of those that several can reach. */
export const planLanes = ({
  workerId,
  lanes,
  held,
  freeSince,
  retryAt,
  now,
  orphanMs,
  leastHoldMs,
}: Situation): Plan => {
  const known = new Map(lanes.map((lane) => [lane.id, lane]));
  const stop = [...held]
    .filter(([id, { revision }]) => known.get(id)?.revision !== revision)
    .map(([id]) => id);
  const kept = held.size - stop.length;
  const share = Math.ceil(lanes.reduce((sum, { workers }) => sum + 1 / Math.max(1, workers), 0));
  const free = lanes.filter(
    ({ id, holderId }) =>
      (holderId === null || holderId === workerId) && !held.has(id) && (retryAt.get(id) ?? 0) <= now,
  );
  const isOrphan = ({ id, workers }: ServableLane): boolean =>
    workers <= 1 || now - (freeSince.get(id) ?? now) >= orphanMs;
  const orphans = free.filter(isOrphan);
  const others = free.filter((lane) => !isOrphan(lane)).slice(0, Math.max(0, share - kept - orphans.length));
  const surplus = Math.max(0, kept - share);
  const shared = [...held].filter(
    ([id, { since }]) =>
      !stop.includes(id) && (known.get(id)?.workers ?? 1) > 1 && now - since >= leastHoldMs,
  );
  return {
    take: [...orphans, ...others].map(({ id }) => id),
    stop,
    handOver: shared.slice(0, surplus).map(([id]) => id),
  };
};

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

/** Since when each lane was seen without a holder: those that are seen so now, and those that were not seen. */
export const noteFree = (
  before: ReadonlyMap<number, number>,
  { lanes, held, now }: Pick<Situation, 'lanes' | 'now'> & { held: Pick<Situation['held'], 'has'> },
): Map<number, number> => {
  const freeSince = new Map(before);
  for (const { id, holderId } of lanes)
    if (holderId === null && !held.has(id)) freeSince.set(id, freeSince.get(id) ?? now);
    else freeSince.delete(id);
  return freeSince;
};

/** What a renewal of the worker's lease means for a lane that it holds; `holder` is who has it by the table. */
export const fateOf = (
  lane: { since: number; holder: string },
  { asked, lapsed, holder }: { asked: number; lapsed: boolean; holder: string | undefined },
): 'lost' | 'to be stated again' | 'kept' => {
  if (lane.since < asked && holder !== lane.holder) return 'lost';
  // Another worker may have found it without a holder, and stored that nobody serves it.
  return lapsed ? 'to be stated again' : 'kept';
};

import type { Db } from '../postgres/index.ts';
import { type Claim, type Claimed, claimBeyond, claimMessages, type Place } from './store.ts';

/** Looking for accounts is done again after so many times as long as it took: it costs the more, the more is gone. */
const REST = 20;
/** For singles it is done sooner: somebody waits for them. */
const URGENT_REST = 4;
/** The same for asking those that are known, as long as they have little: so that one claim carries more. */
const SHORT_REST = 2;
/** It is done so often at least: what was put back or came late lies before the place where we are. */
const LONGEST_REST_MS = 1_000;

export interface Taken {
  claimed: Claimed[];
  /** When to ask again if nobody wakes us: at once when more waits. */
  againInMs: number;
}

const nameOf = ({ priority, accountId }: Pick<Place, 'priority' | 'accountId'>): string =>
  `${priority} ${accountId}`;

const countBy = <T>(items: T[], key: (item: T) => string | number): Map<string | number, number> => {
  const counts = new Map<string | number, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

/** What waits in a lane, taken in turns. Remembers how far each account was taken. */
export const openClaims = (db: Db, lane: Pick<Claim, 'laneId' | 'holder'>) => {
  const places = new Map<string, Place>();
  let lookAt = 0;
  let urgentAt = 0;
  let restUntil = 0;

  const remember = (claimed: Claimed[]): void => {
    for (const { priority, accountId, due, id } of claimed) {
      const known = places.get(nameOf({ priority, accountId }));
      if (!known || known.due < due || (known.due === due && known.id < id))
        places.set(nameOf({ priority, accountId }), { priority, accountId, due, id });
    }
  };
  const look = async (claim: Omit<Claim, 'laneId' | 'holder'>, rest: number) => {
    const begun = performance.now();
    const claimed = await claimMessages(db, { ...lane, ...claim });
    const now = performance.now();
    return { claimed, nextAt: now + Math.min(LONGEST_REST_MS, (now - begun) * rest) };
  };

  /** Whether an account had its whole share. Those that had nothing then leave it to the others. */
  const passOn = (claimed: Claimed[], limit: number): boolean => {
    const accounts = countBy([...places.values()], ({ priority }) => priority);
    const taken = countBy(claimed, nameOf);
    const full = [...places.values()].some(
      (place) =>
        (taken.get(nameOf(place)) ?? 0) >=
        Math.max(1, Math.ceil(limit / (accounts.get(place.priority) ?? 1))),
    );
    if (full) for (const name of [...places.keys()]) if (!taken.has(name)) places.delete(name);
    return full;
  };

  const takeBeyond = async (limit: number): Promise<Taken> => {
    const begun = performance.now();
    const claimed = await claimBeyond(db, { ...lane, limit }, [...places.values()]);
    const now = performance.now();
    const full = passOn(claimed, limit);
    remember(claimed);
    restUntil = full ? 0 : now + (now - begun) * SHORT_REST;
    return { claimed, againInMs: full ? 0 : Math.max(0, lookAt - now) };
  };

  return {
    take: async (limit: number): Promise<Taken> => {
      if (places.size > 0 && performance.now() < lookAt) return takeBeyond(limit);
      const { claimed, nextAt } = await look({ limit }, REST);
      places.clear();
      remember(claimed);
      lookAt = nextAt;
      return { claimed, againInMs: claimed.length < limit ? Number.POSITIVE_INFINITY : 0 };
    },
    /** Those that overtake the others, of any account. */
    takeUrgent: async (limit: number, maxPriority: number): Promise<Claimed[]> => {
      const { claimed, nextAt } = await look({ limit, maxPriority }, URGENT_REST);
      remember(claimed);
      urgentAt = nextAt;
      return claimed;
    },
    /** How long it is better to wait before asking for urgent ones again, and for any. */
    urgentInMs: (): number => Math.max(0, urgentAt - performance.now()),
    restMs: (): number => Math.max(0, restUntil - performance.now()),
    /** Something was put back. */
    lookAnew: (): void => {
      lookAt = 0;
    },
  };
};

import type { Db } from '../../../ground/postgres/index.ts';
import { type ClaimRequest, claimBeyond, claimFew, claimMessages, type Place } from './claim-store.ts';
import type { Claimed } from './claimed-store.ts';

/**
 * Searching for accounts is repeated after this many times as long as it took: it costs more, the more rows are dead.
 */
const REST = 20;
/** For singles it is repeated sooner: somebody waits for them. */
const URGENT_REST = 4;
/** The same for querying known accounts while they have little, so that one claim takes more. */
const SHORT_REST = 2;
/** It is repeated at least this often: messages that were put back or came late are before our current place. */
const LONGEST_REST_MS = 1_000;
/** Between two searches for all urgent ones. */
const SHORTEST_MS = 100;
const ALWAYS = '-infinity';
const URGENT = 0;

export interface Taken {
  claimed: Claimed[];
  /** When to claim again without a wake signal: immediately if more waits. */
  againInMs: number;
}

const nameOf = ({ priority, accountId }: Pick<Place, 'priority' | 'accountId'>): string =>
  `${priority} ${accountId}`;

const countBy = <T>(items: T[], key: (item: T) => string | number): Map<string | number, number> => {
  const counts = new Map<string | number, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

/** What waits in a lane, claimed with accounts taking turns. Remembers how far each account was claimed. */
export const openClaims = (db: Db, lane: Pick<ClaimRequest, 'laneId' | 'holder'>) => {
  const places = new Map<string, Place>();
  let lookAt = 0;
  let urgentAt = 0;
  /** Up to which moment urgent ones were claimed, and until when nothing older is searched for. */
  let urgentSince = ALWAYS;
  let urgentAnewAt = 0;
  let urgentLeft = false;
  let restUntil = 0;

  const remember = (taken: Place[]): void => {
    for (const place of taken) places.set(nameOf(place), place);
  };
  const look = async (claim: Omit<ClaimRequest, 'laneId' | 'holder'>, rest: number) => {
    const begun = performance.now();
    const taken = await claimMessages(db, { ...lane, ...claim });
    const now = performance.now();
    return { ...taken, nextAt: now + Math.min(LONGEST_REST_MS, (now - begun) * rest) };
  };

  /** Whether an account had its whole share. Accounts that had nothing are then dropped in favour of the others. */
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
    const { claimed, places: reached } = await claimBeyond(db, { ...lane, limit }, [...places.values()]);
    const now = performance.now();
    const full = passOn(claimed, limit);
    remember(reached);
    restUntil = full ? 0 : now + (now - begun) * SHORT_REST;
    return { claimed, againInMs: full ? 0 : Math.max(0, lookAt - now) };
  };

  /** Messages that overtake the others, of any account. */
  const takeUrgent = async (limit: number): Promise<Claimed[]> => {
    const begun = performance.now();
    if (begun >= urgentAnewAt) {
      urgentSince = ALWAYS;
      urgentAnewAt = begun + LONGEST_REST_MS;
    }
    let few = await claimFew(db, { ...lane, limit, since: urgentSince });
    // The transaction that woke us may have begun long before others whose messages we claimed.
    if (
      few.claimed.length === 0 &&
      few.left === 'none' &&
      begun >= urgentAnewAt - LONGEST_REST_MS + SHORTEST_MS
    ) {
      urgentSince = ALWAYS;
      urgentAnewAt = begun + LONGEST_REST_MS;
      few = await claimFew(db, { ...lane, limit, since: ALWAYS });
    }
    const now = performance.now();
    urgentAt = now + Math.min(LONGEST_REST_MS, (now - begun) * URGENT_REST);
    urgentLeft = few.left !== 'none';
    if (few.left === 'many') {
      const { claimed, places: reached, nextAt } = await look({ limit, maxPriority: URGENT }, URGENT_REST);
      remember(reached);
      urgentAt = nextAt;
      return claimed;
    }
    // What is left is not older than what was claimed, except for another account's.
    if (!urgentLeft)
      for (const { due } of few.places) if (urgentSince === ALWAYS || due > urgentSince) urgentSince = due;
    return few.claimed;
  };

  return {
    take: async (limit: number): Promise<Taken> => {
      if (places.size > 0 && performance.now() < lookAt) return takeBeyond(limit);
      const { claimed, places: reached, nextAt } = await look({ limit }, REST);
      places.clear();
      remember(reached);
      lookAt = nextAt;
      return { claimed, againInMs: claimed.length === 0 ? Number.POSITIVE_INFINITY : 0 };
    },
    takeUrgent,
    /** Whether more urgent ones wait than were claimed. */
    urgentLeft: (): boolean => urgentLeft,
    /** How long to wait before the next claim of urgent ones, and of any. */
    urgentInMs: (): number => Math.max(0, urgentAt - performance.now()),
    restMs: (): number => Math.max(0, restUntil - performance.now()),
    /** Something was put back. */
    lookAnew: (): void => {
      lookAt = 0;
      urgentAnewAt = 0;
    },
  };
};

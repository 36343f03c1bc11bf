import type { Db } from '../../../ground/postgres/index.ts';
import {
  afterFew,
  afterFollow,
  afterMany,
  afterSearch,
  isRescanDue,
  maySkipSome,
  NO_URGENT,
  NOT_SEARCHED,
  rescan,
  scanMode,
  withPlaces,
} from './claim-scan.ts';
import { type ClaimRequest, claimAfterCursors, claimMessages, claimUrgentHead } from './claim-store.ts';
import type { Claimed } from './claimed-store.ts';

const URGENT = 0;

export interface Taken {
  claimed: Claimed[];
  /** When to claim again without a wake signal: immediately if more waits. */
  againInMs: number;
}

/**
 * What waits in a lane, claimed with accounts taking turns, by whoever holds the lane. One claim is asked for at a time.
 * It remembers how far each account was claimed (`Scan`), and has two modes for what is claimed in its turn:
 *
 * - SEARCH, from the start: the accounts that have something waiting are looked up in the index, which costs more the
 *   more rows are dead, and their first messages are claimed. Entered again when the time for it has come, which is the
 *   later, the longer the last search took; when no account is known; and when something was put back (`resetScan`), since
 *   that is before the place where we are.
 * - FOLLOW: the accounts are known, and what follows the place of each is claimed. While one of them has its whole share,
 *   more waits and the next claim follows at once; otherwise the claims rest, so that the next one takes more.
 *
 * Urgent messages (singles) are claimed besides, whatever the mode. It remembers up to which moment (`UrgentScan`):
 * those since then are claimed while they are in few chunks. From the oldest one it begins again every second, after
 * something was put back, and if there were none although we were woken. If they are in many chunks, they are searched
 * for by account, as in SEARCH.
 */
export const openClaims = (db: Db, lane: Pick<ClaimRequest, 'laneId' | 'holder'>) => {
  let scan = NOT_SEARCHED;
  let urgent = NO_URGENT;

  const search = async (limit: number): Promise<Taken> => {
    const begun = performance.now();
    const { claimed, places } = await claimMessages(db, { ...lane, limit });
    scan = afterSearch(scan, places, { begun, now: performance.now() });
    return { claimed, againInMs: claimed.length === 0 ? Number.POSITIVE_INFINITY : 0 };
  };

  const follow = async (limit: number): Promise<Taken> => {
    const begun = performance.now();
    const { claimed, places } = await claimAfterCursors(db, { ...lane, limit }, [...scan.places.values()]);
    const now = performance.now();
    const after = afterFollow(scan, { claimed, reached: places, limit, begun, now });
    scan = after.scan;
    return { claimed, againInMs: after.full ? 0 : Math.max(0, scan.searchAt - now) };
  };

  const claimMany = async (limit: number): Promise<Claimed[]> => {
    const begun = performance.now();
    const { claimed, places } = await claimMessages(db, { ...lane, limit, maxPriority: URGENT });
    scan = withPlaces(scan, places);
    urgent = afterMany(urgent, { begun, now: performance.now() });
    return claimed;
  };

  return {
    take: (limit: number): Promise<Taken> =>
      scanMode(scan, performance.now()) === 'FOLLOW' ? follow(limit) : search(limit),
    /** Messages that overtake the others, of any account. */
    takeUrgent: async (limit: number): Promise<Claimed[]> => {
      const begun = performance.now();
      const few = () => claimUrgentHead(db, { ...lane, limit, since: urgent.since });
      if (isRescanDue(urgent, begun)) urgent = rescan(urgent, begun);
      let taken = await few();
      if (maySkipSome(urgent, taken, begun)) {
        urgent = rescan(urgent, begun);
        taken = await few();
      }
      urgent = afterFew(urgent, taken, { begun, now: performance.now() });
      return taken.left === 'many' ? claimMany(limit) : taken.claimed;
    },
    /** Whether more urgent ones wait than were claimed. */
    urgentLeft: (): boolean => urgent.left,
    /** How long to wait before the next claim of urgent ones, and of any. */
    urgentInMs: (): number => Math.max(0, urgent.nextAt - performance.now()),
    restMs: (): number => Math.max(0, scan.restUntil - performance.now()),
    /** Something was put back. */
    resetScan: (): void => {
      scan = { ...scan, searchAt: 0 };
      urgent = { ...urgent, rescanAt: 0 };
    },
  };
};

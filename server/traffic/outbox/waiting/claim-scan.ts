import type { ClaimCursor } from './claim-store.ts';
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

/** When a statement was sent and answered, by a clock that never goes back. */
interface Span {
  begun: number;
  now: number;
}

const restEnd = ({ begun, now }: Span, rest: number): number =>
  now + Math.min(LONGEST_REST_MS, (now - begun) * rest);

/** How far the accounts of a lane were claimed. */
export interface Scan {
  /** By priority and account. */
  places: ReadonlyMap<string, ClaimCursor>;
  /** When to search for accounts again. */
  searchAt: number;
  restUntil: number;
}

export const NOT_SEARCHED: Scan = { places: new Map(), searchAt: 0, restUntil: 0 };

export const scanMode = ({ places, searchAt }: Scan, now: number): 'SEARCH' | 'FOLLOW' =>
  places.size > 0 && now < searchAt ? 'FOLLOW' : 'SEARCH';

const nameOf = ({ priority, accountId }: Pick<ClaimCursor, 'priority' | 'accountId'>): string =>
  `${priority} ${accountId}`;

const countBy = <T>(items: Iterable<T>, key: (item: T) => string | number): Map<string | number, number> => {
  const counts = new Map<string | number, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
};

export const withPlaces = (scan: Scan, reached: ClaimCursor[]): Scan => ({
  ...scan,
  places: new Map([...scan.places, ...reached.map((place) => [nameOf(place), place] as const)]),
});

export const afterSearch = (scan: Scan, reached: ClaimCursor[], span: Span): Scan =>
  withPlaces({ ...scan, places: new Map(), searchAt: restEnd(span, REST) }, reached);

/** Whether an account had its whole share: then more waits. Accounts that had nothing are dropped for the others. */
export const afterFollow = (
  scan: Scan,
  {
    claimed,
    reached,
    limit,
    begun,
    now,
  }: Span & { claimed: Claimed[]; reached: ClaimCursor[]; limit: number },
): { scan: Scan; full: boolean } => {
  const accounts = countBy(scan.places.values(), ({ priority }) => priority);
  const taken = countBy(claimed, nameOf);
  const full = [...scan.places].some(
    ([name, { priority }]) =>
      (taken.get(name) ?? 0) >= Math.max(1, Math.ceil(limit / (accounts.get(priority) ?? 1))),
  );
  const places = full ? new Map([...scan.places].filter(([name]) => taken.has(name))) : scan.places;
  const restUntil = full ? 0 : now + (now - begun) * SHORT_REST;
  return { scan: withPlaces({ ...scan, places, restUntil }, reached), full };
};

/** How far urgent messages were claimed, whatever their accounts. */
export interface UrgentScan {
  /** Up to which moment they were claimed, and until when nothing older is searched for. */
  since: string;
  rescanAt: number;
  /** When they may be claimed again. */
  nextAt: number;
  /** More wait than were claimed. */
  left: boolean;
}

export const NO_URGENT: UrgentScan = { since: ALWAYS, rescanAt: 0, nextAt: 0, left: false };

/** From the oldest one again. */
export const rescan = (urgent: UrgentScan, now: number): UrgentScan => ({
  ...urgent,
  since: ALWAYS,
  rescanAt: now + LONGEST_REST_MS,
});

export const isRescanDue = ({ rescanAt }: UrgentScan, now: number): boolean => now >= rescanAt;

interface Few {
  claimed: Claimed[];
  places: ClaimCursor[];
  left: 'none' | 'some' | 'many';
}

/** The transaction that woke us may have begun long before others whose messages we claimed. */
export const maySkipSome = (
  { rescanAt }: UrgentScan,
  { claimed, left }: Pick<Few, 'claimed' | 'left'>,
  begun: number,
): boolean => claimed.length === 0 && left === 'none' && begun >= rescanAt - LONGEST_REST_MS + SHORTEST_MS;

export const afterFew = (
  urgent: UrgentScan,
  { left, places }: Omit<Few, 'claimed'>,
  span: Span,
): UrgentScan => {
  let { since } = urgent;
  // What is left is not older than what was claimed, except for another account's.
  if (left === 'none') for (const { due } of places) if (since === ALWAYS || due > since) since = due;
  return { ...urgent, since, nextAt: restEnd(span, URGENT_REST), left: left !== 'none' };
};

export const afterMany = (urgent: UrgentScan, span: Span): UrgentScan => ({
  ...urgent,
  nextAt: restEnd(span, URGENT_REST),
});

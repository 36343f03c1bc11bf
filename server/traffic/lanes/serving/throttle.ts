import type { Gate } from '../carrier.ts';

const MINUTE_MS = 60_000;
/** What was sent may be noted this much later. Less than the shortest window, so that no clock set back lets it leave. */
const LATE_MS = 5 * MINUTE_MS;

/** At most this many messages in any such span of time; null: no limit. */
export interface ThrottleLimits {
  tenMinutes: number | null;
  oneHour: number | null;
  eightHours: number | null;
  oneDay: number | null;
}

export type ThrottleWindow = keyof ThrottleLimits;

export const THROTTLE_MINUTES: Record<ThrottleWindow, number> = {
  tenMinutes: 10,
  oneHour: 60,
  eightHours: 480,
  oneDay: 1_440,
};
export const THROTTLE_WINDOWS = Object.keys(THROTTLE_MINUTES) as ThrottleWindow[];

/** How many messages count against each window. */
export type SentCounts = Record<ThrottleWindow, number>;

export const NOTHING_SENT: SentCounts = { tenMinutes: 0, oneHour: 0, eightHours: 0, oneDay: 0 };

/** As the lane's row names them. */
export const throttleLimits = (lane: {
  throttleTenMinutes: number | null;
  throttleOneHour: number | null;
  throttleEightHours: number | null;
  throttleOneDay: number | null;
}): ThrottleLimits => ({
  tenMinutes: lane.throttleTenMinutes,
  oneHour: lane.throttleOneHour,
  eightHours: lane.throttleEightHours,
  oneDay: lane.throttleOneDay,
});

export interface MinuteSends {
  /** Its beginning; a number is in milliseconds. */
  minute: Date | number;
  sent: number;
}

/** A limit with the part of the history that counts against it: from `head` to the end, `sum` messages. */
interface Window {
  name: ThrottleWindow;
  limit: number;
  minutes: number;
  head: number;
  sum: number;
}

export interface Throttle {
  /** How many may be sent now; Infinity without limits. */
  room: (nowMs: number) => number;
  /** What counts against each window now; 0 for one without a limit. */
  sent: (nowMs: number) => SentCounts;
  note: (nowMs: number, count: number) => void;
  /** The first moment with room, if nothing else is sent until then; Infinity if a limit is 0. */
  freeAt: (nowMs: number) => number;
}

/** A message may go only if both allow it. */
export const gated = (throttle: Throttle, gate: Gate | undefined): Throttle =>
  gate
    ? {
        ...throttle,
        room: (nowMs) => Math.min(throttle.room(nowMs), gate.room(nowMs)),
        freeAt: (nowMs) => Math.max(throttle.freeAt(nowMs), gate.freeAt(nowMs)),
      }
    : throttle;

/**
 * How many messages a lane may send, by sliding windows. What is known of the past is how many were sent in each
 * minute; they count as sent at its very end, so that no window is ever exceeded by one. Time never goes back: an
 * earlier moment than the last one seen counts as that one.
 */
export const openThrottle = ({
  limits,
  sends = [],
}: {
  limits: ThrottleLimits;
  sends?: Iterable<MinuteSends>;
}): Throttle => {
  const windows = THROTTLE_WINDOWS.flatMap((name): Window[] => {
    const limit = limits[name];
    return limit === null ? [] : [{ name, limit, minutes: THROTTLE_MINUTES[name], head: 0, sum: 0 }];
  });
  const longest = windows.at(-1);
  /** Minutes since 1970 in rising order, and what was sent in each. */
  let minutes: number[] = [];
  let counts: number[] = [];
  let latestMs = 0;

  const add = (minute: number, count: number): void => {
    if (minutes.at(-1) === minute) counts[counts.length - 1] = (counts.at(-1) ?? 0) + count;
    else {
      minutes.push(minute);
      counts.push(count);
    }
    for (const window of windows) window.sum += count;
  };
  /** When messages of that minute no longer count. */
  const leavesAt = (at: number, window: Window): number =>
    ((minutes[at] ?? 0) + 1 + window.minutes) * MINUTE_MS;

  const advance = (nowMs: number): void => {
    latestMs = Math.max(latestMs, nowMs);
    for (const window of windows)
      while (window.head < minutes.length && leavesAt(window.head, window) <= latestMs) {
        window.sum -= counts[window.head] ?? 0;
        window.head += 1;
      }
    if (!longest || longest.head < longest.minutes) return;
    const passed = longest.head;
    minutes = minutes.slice(passed);
    counts = counts.slice(passed);
    for (const window of windows) window.head -= passed;
  };

  const history = [...sends].map(({ minute, sent }) => ({ minute: Math.floor(+minute / MINUTE_MS), sent }));
  for (const { minute, sent } of history.toSorted((a, b) => a.minute - b.minute)) add(minute, sent);

  const room = (nowMs: number): number => {
    advance(nowMs);
    let least = Number.POSITIVE_INFINITY;
    for (const { limit, sum } of windows) least = Math.min(least, Math.max(0, limit - sum));
    return least;
  };

  const freeAt = (nowMs: number): number => {
    if (room(nowMs) > 0) return nowMs;
    let freeMs = nowMs;
    for (const window of windows) {
      if (window.limit < 1) return Number.POSITIVE_INFINITY;
      let { sum } = window;
      for (let at = window.head; sum >= window.limit; at += 1) {
        sum -= counts[at] ?? 0;
        freeMs = Math.max(freeMs, leavesAt(at, window));
      }
    }
    return freeMs;
  };

  return {
    room,
    sent: (nowMs) => {
      advance(nowMs);
      return { ...NOTHING_SENT, ...Object.fromEntries(windows.map(({ name, sum }) => [name, sum])) };
    },
    note: (nowMs, count) => {
      if (!longest || count === 0) return;
      advance(nowMs);
      const sentMs = Math.max(nowMs, latestMs - LATE_MS);
      add(Math.max(Math.floor(sentMs / MINUTE_MS), minutes.at(-1) ?? 0), count);
    },
    freeAt,
  };
};

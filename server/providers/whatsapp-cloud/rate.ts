import { setTimeout as sleep } from 'node:timers/promises';

export interface Rate {
  /** Resolves when it is this caller's turn, in the order in which they came; false once it is closed. */
  turn: () => Promise<boolean>;
  /** After an answer that says too fast: half as fast from here on, and back up slowly. */
  slowDown: () => void;
  perSecond: () => number;
  /** How many more would have their turn within a second. */
  room: () => number;
  /** Until there is room, in milliseconds. */
  fullMs: () => number;
  close: () => void;
}

const SLOWEST = 1;
/** Refusals of one burst count once. */
const BURST_MS = 1_000;
/** Who waits longer is better kept where others can move or withdraw it. */
const SOON_MS = 1_000;
/** After each second without a refusal it goes a tenth faster. */
const SPEED_UP = 1.1;

/** This many per second, evenly. */
export const openRate = (most: number, now: () => number = () => performance.now()): Rate => {
  const closed = new AbortController();
  let rate = most;
  let next = 0;
  let slowedAt = Number.NEGATIVE_INFINITY;
  let raisedAt = 0;

  const recover = (at: number): void => {
    if (rate >= most || at - Math.max(slowedAt, raisedAt) < BURST_MS) return;
    rate = Math.min(most, rate * SPEED_UP);
    raisedAt = at;
  };

  return {
    turn: async () => {
      const at = now();
      recover(at);
      const mine = Math.max(at, next);
      next = mine + 1_000 / rate;
      if (mine - at >= 1) await sleep(mine - at, undefined, { signal: closed.signal }).catch(() => {});
      return !closed.signal.aborted;
    },
    slowDown: () => {
      const at = now();
      if (at - slowedAt < BURST_MS) return;
      slowedAt = at;
      rate = Math.max(SLOWEST, rate / 2);
    },
    perSecond: () => rate,
    room: () => Math.max(0, Math.floor((SOON_MS - Math.max(0, next - now())) * (rate / 1_000))),
    fullMs: () => Math.max(0, next - now() - SOON_MS + 1_000 / rate),
    close: () => closed.abort(),
  };
};

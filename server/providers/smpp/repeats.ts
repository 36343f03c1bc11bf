const MOST_REPEATS = 7;
const FIRST_PAUSE_MS = 50;

/** Before the next try, a part of it random, so that what was refused together does not come together again. */
export const repeatPauseMs = (repeat: number, chance = Math.random()): number =>
  FIRST_PAUSE_MS * 2 ** repeat * (0.5 + chance);
export const isLastTry = (repeat: number): boolean => repeat >= MOST_REPEATS;

/** Beyond this a larger claim gains nothing. */
const LARGEST_CLAIM = 1_000;
/**
 * A worker claims no more than it can send within this: claimed messages are unknown if it dies, and can't be
 * overtaken.
 */
const CLAIMED_MS = 100;
/** For each lane of this worker that has work: with many of them, claims of one message would keep the database busy. */
const CLAIMED_MS_A_LANE = 2;
/** The size of a claim as long as the carrier's pace is not known. */
const FIRST_CLAIM = 50;
/** What the carrier would not take within this is left for others to take, move or withdraw. */
const SOON_MS = 3_000;
/** Shorter measurements say little. */
const LEAST_MS = 20;

export type Pace = ReturnType<typeof openLanePace>;

/**
 * How much to claim, by how many messages a second the carrier answers while it has any: time in which it waits for us
 * does not count, otherwise a slow claim would make the next one smaller, and slower still per message.
 */
export const openLanePace = (now: () => number = () => performance.now()) => {
  let rate = 0;
  let answered = 0;
  let inFlight = 0;
  let since = 0;
  let busyMs = 0;
  /** How many the carrier takes soon: there is room in its window, or its pace says so. */
  const soon = (window: number): number =>
    Math.max(0, window - inFlight, Math.round((rate * SOON_MS) / 1_000));
  const usual = (window: number, busyLanes: number): number =>
    Math.max(
      Math.min(window, FIRST_CLAIM),
      Math.ceil((rate * Math.max(CLAIMED_MS, busyLanes * CLAIMED_MS_A_LANE)) / 1_000),
    );
  const mostClaimed = (window: number, busyLanes = 1): number =>
    Math.min(soon(window), usual(window, busyLanes));
  return {
    began: (): void => {
      if (inFlight === 0) since = now();
      inFlight += 1;
    },
    ended: (): void => {
      inFlight -= 1;
      answered += 1;
      if (inFlight === 0) busyMs += now() - since;
    },
    measure: (): void => {
      const time = now();
      const ms = busyMs + (inFlight > 0 ? time - since : 0);
      if (ms < LEAST_MS) return;
      const measured = (answered * 1_000) / ms;
      rate = rate === 0 ? measured : (rate + measured) / 2;
      answered = 0;
      busyMs = 0;
      since = time;
    },
    /** What was claimed did not go out soon: until the carrier answers again, only room in its window counts. */
    stalled: (): void => {
      rate = 0;
      answered = 0;
      busyMs = 0;
      since = now();
    },
    mostClaimed,
    /** The same for singles, which somebody waits for: a whole window of them at least. */
    mostUrgent: (window: number, busyLanes = 1): number =>
      Math.min(soon(window), Math.max(window, usual(window, busyLanes))),
    /** Claims early, so that the next claim runs while the messages of the last one are being sent. */
    claimSize: (window: number, busyLanes = 1): number =>
      Math.min(LARGEST_CLAIM, Math.ceil(mostClaimed(window, busyLanes) / 2)),
  };
};

/** Beyond this a larger claim gains nothing. */
const LARGEST_CLAIM = 1_000;
/** Not more is claimed than goes out within this: what is claimed is unknown if the worker dies, and can't be overtaken. */
const IN_HAND_MS = 100;
/** Claimed at once as long as the carrier's pace is not known. */
const FIRST_CLAIM = 50;
/** Less says little. */
const LEAST_MS = 20;

/**
 * How much to claim, by how many messages a second the carrier answers while it has any: time in which it waits for us
 * does not count, or a slow claim would make the next one smaller, and slower still for each message.
 */
export const openPace = (now: () => number = () => performance.now()) => {
  let rate = 0;
  let answered = 0;
  let inFlight = 0;
  let since = 0;
  let busyMs = 0;
  const mostClaimed = (window: number): number =>
    Math.max(Math.min(window, FIRST_CLAIM), Math.ceil((rate * IN_HAND_MS) / 1_000));
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
    mostClaimed,
    /** So that one claim can be waited for while what the last one brought goes out. */
    claimSize: (window: number): number => Math.min(LARGEST_CLAIM, Math.ceil(mostClaimed(window) / 2)),
  };
};

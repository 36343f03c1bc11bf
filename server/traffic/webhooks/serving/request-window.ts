/** Requests to one receiver at the same time: at first and after a failure, and at most. */
export const REQUESTS = { first: 4, most: 16 };
/** An answer may take this much longer than the quickest before it counts as delayed by the others. */
const SLACK = { factor: 1.5, ms: 2 };
/** How much the last answer counts in the average. */
const WEIGHT = 0.1;
/** The quickest answer is forgotten slowly: the way to the receiver may change. */
const DRIFT = 1.0002;

/**
 * How many requests a receiver gets at the same time. More of them help if it is far away, and only wait for each other
 * if it or this process is busy: so the window grows while answers come as quickly as with few requests. Events thus
 * leave a busy process to what it sends.
 */
export const openRequestWindow = () => {
  let size = REQUESTS.first;
  let quickestMs = Number.POSITIVE_INFINITY;
  let averageMs = 0;
  return {
    size: (): number => size,
    answered: (milliseconds: number): void => {
      averageMs =
        quickestMs === Number.POSITIVE_INFINITY
          ? milliseconds
          : averageMs + (milliseconds - averageMs) * WEIGHT;
      quickestMs = Math.min(quickestMs * DRIFT, milliseconds);
      const delayed = averageMs > quickestMs * SLACK.factor + SLACK.ms;
      // A whole window of good answers adds one request.
      size = delayed ? Math.max(REQUESTS.first, size - 1) : Math.min(REQUESTS.most, size + 1 / size);
    },
    failed: (): void => {
      size = REQUESTS.first;
    },
  };
};

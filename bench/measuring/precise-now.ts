/** Milliseconds since 1970 with their fraction: clocks of several processes are compared. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

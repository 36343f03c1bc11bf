export interface RequestSlotsOptions {
  /** How many may be young at the same time. */
  young: number;
  /** How long a request is young. One that takes longer only waits for its receiver, and costs us next to nothing. */
  youngMs: number;
  /** How many requests may be in flight in all. */
  most: number;
}

/**
 * Limits the requests in flight to all receivers together. A slot is returned when the request ends or is no longer
 * young, so slow receivers can't use up the slots that the others need.
 */
export const openRequestSlots = ({ young, youngMs, most }: RequestSlotsOptions) => {
  const waiting: (() => void)[] = [];
  let startingNow = 0;
  let all = 0;

  const admit = (): void => {
    while (waiting.length > 0 && startingNow < young && all < most) {
      startingNow += 1;
      all += 1;
      waiting.shift()?.();
    }
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      admit();
    });
    let isStarting = true;
    const leaveStarting = (): void => {
      if (!isStarting) return;
      isStarting = false;
      startingNow -= 1;
      admit();
    };
    const timer = setTimeout(leaveStarting, youngMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      all -= 1;
      leaveStarting();
      admit();
    }
  };
  return { run };
};
export type RequestSlots = ReturnType<typeof openRequestSlots>;

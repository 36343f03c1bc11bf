export interface RequestSlotsOptions {
  /** How many may be young at the same time. */
  young: number;
  /** How long a request is young. One that takes longer only waits for its receiver, and costs us next to nothing. */
  youngMs: number;
  /** In all. */
  most: number;
}

/**
 * Limits the requests in flight to all receivers together. A slot is returned when the request ends or is no longer
 * young, so slow receivers can't use up the slots that the others need.
 */
export const openRequestSlots = ({ young, youngMs, most }: RequestSlotsOptions) => {
  const waiting: (() => void)[] = [];
  let youngNow = 0;
  let all = 0;

  const admit = (): void => {
    while (waiting.length > 0 && youngNow < young && all < most) {
      youngNow += 1;
      all += 1;
      waiting.shift()?.();
    }
  };
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      admit();
    });
    let isYoung = true;
    const grow = (): void => {
      if (!isYoung) return;
      isYoung = false;
      youngNow -= 1;
      admit();
    };
    const timer = setTimeout(grow, youngMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      all -= 1;
      grow();
      admit();
    }
  };
  return { run };
};
export type RequestSlots = ReturnType<typeof openRequestSlots>;

export interface SlotsOptions {
  /** So many may be young at once. */
  young: number;
  /** For how long a request is young. One that takes longer waits for its receiver, and costs us next to nothing. */
  youngMs: number;
  /** In all. */
  most: number;
}

/**
 * Bounds what is in flight to everyone together. A slot is given back when the request ends or is no longer young:
 * so those who are slow can't use up what the others need.
 */
export const openSlots = ({ young, youngMs, most }: SlotsOptions) => {
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
export type Slots = ReturnType<typeof openSlots>;

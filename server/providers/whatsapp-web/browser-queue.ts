interface Waiter {
  /** There is a place: now, or when others have left. */
  begin: () => void;
  /** There is none yet. */
  wait: () => void;
}

/** In the order of coming. Returns how to give the place back, or to wait no longer. */
export type EnterQueue = (waiter: Waiter) => () => void;

/** How many devices a worker drives at a time: each has a browser. */
export const openBrowserQueue = (most: number): EnterQueue => {
  const waiting = new Set<Waiter>();
  const taken = new Set<Waiter>();
  const next = (): void => {
    for (const waiter of waiting) {
      if (taken.size >= most) return;
      waiting.delete(waiter);
      taken.add(waiter);
      waiter.begin();
    }
  };
  return (waiter) => {
    waiting.add(waiter);
    next();
    if (waiting.has(waiter)) waiter.wait();
    return () => {
      waiting.delete(waiter);
      if (taken.delete(waiter)) next();
    };
  };
};

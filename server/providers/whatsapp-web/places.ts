interface Comer {
  /** There is a place: now, or when others have left. */
  begin: () => void;
  /** There is none yet. */
  wait: () => void;
}

/** In the order of coming. Returns how to give the place back, or to wait no longer. */
export type TakePlace = (comer: Comer) => () => void;

/** How many devices a worker drives at a time: each has a browser. */
export const openPlaces = (most: number): TakePlace => {
  const waiting = new Set<Comer>();
  const taken = new Set<Comer>();
  const next = (): void => {
    for (const comer of waiting) {
      if (taken.size >= most) return;
      waiting.delete(comer);
      taken.add(comer);
      comer.begin();
    }
  };
  return (comer) => {
    waiting.add(comer);
    next();
    if (waiting.has(comer)) comer.wait();
    return () => {
      waiting.delete(comer);
      if (taken.delete(comer)) next();
    };
  };
};

/** Lets so many do their work at once; the others wait for their turn. */
export const openTurns = (atOnce: number) => {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn passes on without becoming free in between.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};

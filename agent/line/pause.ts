/** Pauses between attempts to connect: they grow, and differ so that a fleet does not come back all at once. */
export const growingPauses = ({ minMs, maxMs }: { minMs: number; maxMs: number }) => {
  let next = minMs;
  return {
    /** In milliseconds, between a half and the whole of a limit that doubles. */
    take: (): number => {
      const pause = next * (0.5 + Math.random() / 2);
      next = Math.min(maxMs, next * 2);
      return pause;
    },
    reset: (): void => {
      next = minMs;
    },
  };
};

/** Caches the result of a read for this long; concurrent callers share it. A failed read is not cached. */
export const remember = <T>(read: () => Promise<T>, ttlMs: number): (() => Promise<T>) => {
  let kept: { answer: Promise<T>; until: number } | undefined;
  return () => {
    if (kept && performance.now() < kept.until) return kept.answer;
    const fresh = { answer: read(), until: performance.now() + ttlMs };
    fresh.answer.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    kept = fresh;
    return fresh.answer;
  };
};

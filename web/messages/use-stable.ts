import { useCallback, useEffect, useRef } from 'react';

/** A function that stays the same and calls the latest one, so that memoised components are not rendered again. */
export const useStable = <T>(act: (given: T) => void): ((given: T) => void) => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((given: T) => latest.current(given), []);
};

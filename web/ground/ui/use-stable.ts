import { useCallback, useEffect, useRef } from 'react';

/** A function that stays the same and calls the latest one, so that memoised components are not rendered again. */
export const useStable = <Given extends unknown[]>(act: (...given: Given) => void) => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
};

import { useCallback, useEffect, useRef } from 'react';

/** Always the newest function behind one that stays the same, so that what gets it is not drawn anew. */
export const useStable = <T>(act: (given: T) => void): ((given: T) => void) => {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((given: T) => latest.current(given), []);
};

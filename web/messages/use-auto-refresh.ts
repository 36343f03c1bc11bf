import { useEffect, useRef } from 'react';
import { mayRefresh, REFRESH_MS } from './may-refresh.ts';

interface AutoRefresh {
  enabled: boolean;
  /** The list is not refreshed while rows are selected, so that they do not move. */
  selectedCount: number;
  refresh: () => void;
}

/** Refreshes the list every half minute, unless that would disturb the reader. */
export const useAutoRefresh = ({ enabled, selectedCount, refresh }: AutoRefresh): void => {
  const latest = useRef({ selectedCount, refresh });
  const unselectedAt = useRef<number>(undefined);
  useEffect(() => {
    if (latest.current.selectedCount > 0 && selectedCount === 0) unselectedAt.current = Date.now();
    latest.current = { selectedCount, refresh };
  });
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(() => {
      const moment = {
        now: Date.now(),
        selectedCount: latest.current.selectedCount,
        unselectedAt: unselectedAt.current,
        hidden: document.hidden,
        random: Math.random(),
      };
      if (mayRefresh(moment)) latest.current.refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [enabled]);
};

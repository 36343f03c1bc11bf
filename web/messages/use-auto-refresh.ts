import { useEffect, useRef } from 'react';
import { mayRefresh, REFRESH_MS } from './may-refresh.ts';

interface AutoRefresh {
  enabled: boolean;
  /** A row that is selected must not move away. */
  selectedCount: number;
  refresh: () => void;
}

/** Reads the list anew every half minute, unless that would get in somebody's way. */
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

import { useEffect } from 'react';
import { useStable } from '../../../ground/ui/use-stable.ts';
import { mayRefresh, REFRESH_MS } from './may-refresh.ts';

interface AutoRefresh {
  enabled: boolean;
  /** The list must not move below the reader's hands. */
  held: boolean;
  refresh: () => void;
}

/** Refreshes the list every half minute, unless that would disturb the reader. */
export const useAutoRefresh = ({ enabled, held, refresh }: AutoRefresh): void => {
  const tick = useStable(() => {
    if (mayRefresh({ held, hidden: document.hidden, random: Math.random() })) refresh();
  });
  useEffect(() => {
    if (!enabled) return;
    const timer = setInterval(tick, REFRESH_MS);
    return () => clearInterval(timer);
  }, [enabled, tick]);
};

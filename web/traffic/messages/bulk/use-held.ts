import { useEffect, useState } from 'react';

/** So that what was selected can be read after it was unselected. */
const SETTLE_MS = 30_000;

/** Whether rows are selected, or were a moment ago: the list is not read again by itself meanwhile. */
export const useHeld = (selectedCount: number): boolean => {
  const isSelected = selectedCount > 0;
  const [settling, setSettling] = useState(false);
  useEffect(() => {
    if (isSelected) {
      setSettling(true);
      return;
    }
    const timer = setTimeout(() => setSettling(false), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [isSelected]);
  return isSelected || settling;
};

import { type RefObject, useLayoutEffect, useState } from 'react';
import { remPixels } from './rem.ts';

/** Whether the element is narrower than so many rem; known before the first frame is drawn. */
export const useNarrow = (element: RefObject<HTMLElement | null>, rem: number): boolean => {
  const [narrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const measure = () => setNarrow(measured.clientWidth < rem * remPixels());
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element, rem]);
  return narrow;
};
